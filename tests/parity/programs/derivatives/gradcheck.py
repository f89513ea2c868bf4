"""gradcheck and gradgradcheck: what passes, what fails, and how the failure is told."""

import importlib
from functools import partial

from tests.parity.harness import outcome


def _leaf(torch, values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def _square(torch, backward, jvp=None):
    """x * x with a gradient of the caller's choice."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x * x

    Square.backward = staticmethod(backward)
    if jvp is not None:
        Square.jvp = staticmethod(jvp)
    return Square.apply


def _right(ctx, g):
    return 2 * ctx.saved_tensors[0] * g


def _half(ctx, g):
    return ctx.saved_tensors[0] * g


def _checked(torch, backward, jvp=None, **options):
    function = _square(torch, backward, jvp)
    return outcome(
        lambda: torch.autograd.gradcheck(function, (_leaf(torch, [1.0, 2.0]),), **options)
    )


def the_error_is_a_runtime_error(torch):
    module = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    same = [module.gradcheck is torch.autograd.gradcheck]
    same.append(module.gradgradcheck is torch.autograd.gradgradcheck)
    _, _, home = module.GradcheckError.__module__.partition(".")
    return [same, home, [base.__name__ for base in module.GradcheckError.__mro__[:2]]]


def right_gradients_pass(torch):
    x, y = _leaf(torch, [1.0, 2.0]), _leaf(torch, [[3.0], [4.0]])
    check = torch.autograd.gradcheck
    return [
        _checked(torch, _right),
        check(lambda x: x.sin(), x),
        check(lambda x, y: x * y, [x, y]),
        check(lambda x, y: (x * y, x.exp(), 3 * y), (x, y), check_forward_ad=True),
        check(lambda x, n: x**n, (x, 3), fast_mode=True, check_forward_ad=True),
        check(lambda x: x.clone().mul_(3), (x,), check_forward_ad=True),
        check(lambda x, y: x.sum(), (x, y)),
        check(lambda x: x.cos(), (_leaf(torch, 1.0),)),
        check(lambda x: x * 2, (_leaf(torch, []),), check_forward_ad=True),
        check(lambda x: (x * 2, torch.ones(2, dtype=torch.int64)), (x,)),
    ]


def inputs_are_left_as_they_were(torch):
    x = _leaf(torch, [[1.0, 2.0], [3.0, 4.0]])
    torch.autograd.gradcheck(lambda x: x.exp(), (x,), check_forward_ad=True)
    return [x, x._version, x.grad]


def inputs_with_gaps(torch):
    x = _leaf(torch, [[1.0, 2.0], [3.0, 4.0]]).detach().t().requires_grad_()
    return torch.autograd.gradcheck(lambda x: x.exp(), (x,), check_forward_ad=True)


def a_forgotten_factor(torch):
    return [_checked(torch, _half), _checked(torch, _half, raise_exception=False)]


def a_wrong_sign(torch):
    return _checked(torch, lambda ctx, g: -2 * ctx.saved_tensors[0] * g)


def a_forgotten_upstream_gradient(torch):
    return _checked(torch, lambda ctx, g: 2 * ctx.saved_tensors[0])


def the_second_output_and_input(torch):
    class Pair(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * 1, x * y

        @staticmethod
        def backward(ctx, first, second):
            _, y = ctx.saved_tensors
            return first + second * y, second * y

    args = _leaf(torch, [1.0, 2.0]), _leaf(torch, [3.0, 4.0])
    return outcome(lambda: torch.autograd.gradcheck(Pair.apply, args))


def a_gradient_that_changes(torch):
    calls = []

    def noisy(ctx, g):
        calls.append(g)
        return 2 * ctx.saved_tensors[0] * g * (1 + 1e-9 * len(calls))

    return [_checked(torch, noisy), _checked(torch, noisy, nondet_tol=1e-5)]


def forward_mode_is_wrong(torch):
    def wrong(ctx, dx):
        return 3 * ctx.saved_tensors[0] * dx

    return [
        _checked(torch, _right, wrong),
        _checked(torch, _right, wrong, check_forward_ad=True),
        _checked(torch, _half, wrong, check_forward_ad=True, check_backward_ad=False),
        _checked(torch, _right, check_forward_ad=True),
    ]


def fast_mode_finds_it_too(torch):
    return [
        _checked(torch, _right, fast_mode=True),
        _checked(torch, _half, fast_mode=True, raise_exception=False),
        _checked(torch, _half, _half, fast_mode=True, raise_exception=False, check_forward_ad=True),
    ]


def single_precision(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [
        outcome(lambda: torch.autograd.gradcheck(lambda x: x * 2, (x,), eps=1e-2, atol=1e-2)),
        outcome(lambda: torch.autograd.gradcheck(lambda x: x / 3, (x,), raise_exception=False)),
    ]


def nothing_requires_grad(torch):
    check = torch.autograd.gradcheck
    return [
        outcome(lambda: check(lambda x: x, (torch.tensor(1.0),))),
        outcome(lambda: check(lambda x: x, (3,))),
    ]


def inputs_that_overlap(torch):
    x = torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()
    return outcome(lambda: torch.autograd.gradcheck(lambda x: x * 2, (x,)))


def outputs_without_gradient(torch):
    check, x = torch.autograd.gradcheck, _leaf(torch, [1.0, 2.0])
    return [
        outcome(lambda: check(lambda x: x.detach(), (x,))),
        outcome(lambda: check(lambda x: x.detach(), (x,), fast_mode=True)),
        outcome(lambda: check(lambda x: torch.ones(2), (x,))),
        outcome(lambda: check(lambda x: (x.detach(), x * 2), (x,))),
    ]


def outputs_that_change_their_shape(torch):
    x = _leaf(torch, [1.0, 2.0])
    return [
        outcome(lambda: torch.autograd.gradcheck(lambda x: x[x > 1], (x,))),
        outcome(lambda: torch.autograd.gradcheck(lambda x: x[x > 1], (x,), fast_mode=True)),
    ]


def undefined_gradients(torch):
    def check(when_undefined, **options):
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(False)
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                return when_undefined(g) if g is None else 2 * ctx.saved_tensors[0] * g

        x = _leaf(torch, [1.0, 2.0])
        return outcome(lambda: torch.autograd.gradcheck(Square.apply, (x,), **options))

    def refuses(g):
        raise RuntimeError("no gradient, no service")

    return [
        check(lambda g: None),
        check(refuses),
        check(refuses, raise_exception=False),
        check(refuses, check_undefined_grad=False),
        check(lambda g: torch.ones(2, dtype=torch.float64)),
        check(lambda g: 2 * g),
    ]


def options_that_do_not_go_together(torch):
    return [
        _checked(torch, _right, check_backward_ad=False),
        _checked(
            torch, _right, check_backward_ad=False, check_forward_ad=True, check_batched_grad=True
        ),
        _checked(torch, _right, check_batched_forward_grad=True),
        outcome(lambda: torch.autograd.gradcheck(torch.sin, (_leaf(torch, 1.0),), 1e-6)),
    ]


def second_derivatives(torch):
    check, x = torch.autograd.gradgradcheck, _leaf(torch, [1.0, 2.0])
    ones = torch.ones(2, dtype=torch.float64)
    return [
        check(lambda x: x**3, x),
        check(lambda x, y: (x * y, x.sin()), (x, _leaf(torch, [3.0, 4.0]))),
        check(lambda x: x * 3, (x,)),
        check(lambda x: x**3, (x,), ones),
        check(lambda x: x**3, (x,), (_leaf(torch, [1.0, -1.0]),)),
        check(lambda x: x.exp(), (_leaf(torch, [[1.0, 2.0]]),), gen_non_contig_grad_outputs=True),
        check(lambda x: x**3, (x,), fast_mode=True),
        check(lambda x: x**3, (x,), check_fwd_over_rev=True),
    ]


def a_backward_that_detaches(torch):
    def detached(ctx, g):
        return 2 * ctx.saved_tensors[0].detach() * g

    function, x = _square(torch, detached), _leaf(torch, [1.0, 2.0])
    ones = torch.ones(2, dtype=torch.float64)
    return [
        torch.autograd.gradcheck(function, (x,)),
        outcome(lambda: torch.autograd.gradgradcheck(function, (x,), ones)),
        outcome(lambda: torch.autograd.gradgradcheck(function, (x,), raise_exception=False)),
    ]


def options_of_second_derivatives(torch):
    check, x = torch.autograd.gradgradcheck, _leaf(torch, [1.0, 2.0])
    return [
        outcome(lambda: check(torch.sin, (x,), check_rev_over_rev=False)),
        outcome(lambda: check(torch.sin, (x,), check_rev_over_rev=False, check_fwd_over_rev=True)),
    ]


def views_pass_in_forward_mode(torch):
    x = _leaf(torch, [[1.0, 2.0], [3.0, 4.0]])
    views = (lambda x: x.t(), lambda x: x[0], lambda x: x.view_as(x), lambda x: x.unsqueeze(0))
    check = torch.autograd.gradcheck
    return [
        check(view, (x,), check_forward_ad=True, fast_mode=fast)
        for view in views
        for fast in (False, True)
    ]


def directions_of_the_fast_mode(torch):
    """Which way the fast mode goes is told by the numbers in its messages."""

    def twice(ctx, g):
        return 2 * g * ctx.saved_tensors[0] + 1

    def twice_forward(ctx, t):
        return 2 * t * ctx.saved_tensors[0] + 1

    function = _square(torch, twice, twice_forward)
    inputs = _leaf(torch, [1.0, 2.0]), _leaf(torch, [[3.0], [4.0]])

    def both(x, y):
        return function(x), x + function(y)

    check = torch.autograd.gradcheck
    ways = ({}, {"check_forward_ad": True, "check_backward_ad": False})
    return [
        outcome(lambda way=way, args=args: check(both, args, fast_mode=True, **way))
        for way in ways
        for args in (inputs, (inputs[0], inputs[0].detach()))
    ]


def at_a_kink_of_the_fast_mode(torch):
    x, check = _leaf(torch, [1.0, 2.0, 3.0]), torch.autograd.gradcheck
    return outcome(lambda: check(lambda x: (x - 1).relu(), (x,), fast_mode=True))


def whole_numbers_change_in_the_fast_mode(torch):
    x, check = _leaf(torch, [1.0, 2.0]), torch.autograd.gradcheck
    return [
        outcome(lambda fast=fast: check(torch.Tensor.long, (x,), fast_mode=fast))
        for fast in (False, True)
    ]


def tangents_of_another_dtype(torch):
    def halved(ctx, t):
        return (2 * t * ctx.saved_tensors[0]).float()

    options = {"check_forward_ad": True}
    return [
        _checked(torch, _right, halved, fast_mode=fast, rtol=1e-2, **options)
        for fast in (False, True)
    ]


def options_of_the_other_check(torch):
    x, autograd = _leaf(torch, [1.0]), torch.autograd
    return [
        outcome(lambda: autograd.gradgradcheck(torch.sin, (x,), check_forward_ad=True)),
        outcome(lambda: autograd.gradgradcheck(torch.sin, (x,), eps=1e-5, masked=True)),
        outcome(lambda: autograd.gradcheck(torch.sin, (x,), check_fwd_over_rev=True)),
    ]


def weights_of_a_second_check_may_lie_apart(torch):
    def constant(ctx, g):
        return g * (2 * ctx.saved_tensors[0]).detach()

    def told(**options):
        torch.manual_seed(0)
        function, x = _square(torch, constant), _leaf(torch, [1.0, 2.0])
        return outcome(lambda: torch.autograd.gradgradcheck(function, x, **options))

    return [told(), told(gen_non_contig_grad_outputs=True)]


def jacobians_by_functions_that_will_be_gone(torch):
    module = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    numerical, analytical = module.get_numerical_jacobian, module.get_analytical_jacobian
    x, y = _leaf(torch, [1.0, 2.0]), _leaf(torch, [3.0, 4.0])

    def rounded(jacobians):
        return [[[round(each, 6) for each in row] for row in j.tolist()] for j in jacobians]

    def function(inputs):
        return 2 * inputs[0] + inputs[1] ** 2, inputs[0]

    calls = iter(range(1, 100))
    changing = _square(torch, lambda ctx, g: next(calls) * g)
    found = [
        analytical((x, y), 2 * x + y**2),
        analytical((x, y, 3, torch.ones(2)), x.sum()),
        analytical([x], changing(x)),
        analytical((x,), changing(x), nondet_tol=5.0),
    ]
    return [
        rounded(numerical(function, (x, y), eps=1e-6)),
        rounded(numerical(function, (x, y, 3), target=y, eps=1e-6)),
        rounded(numerical(lambda inputs: inputs[0].sum(), (x, torch.ones(2)))),
        outcome(lambda: numerical(function, (x, y), grad_out=2.0)),
        [[rounded(jacobians), *told] for jacobians, *told in found],
        outcome(lambda: analytical((x,), x * 2, grad_out=2.0)),
        outcome(lambda: analytical((torch.ones(2),), x * 2)),
    ]


def forward_mode_alone(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    options = {"check_forward_ad": True, "check_backward_ad": False}
    return torch.autograd.gradcheck(lambda x: x.exp(), x, **options)


def gradients_in_another_dtype(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    x.grad_dtype = torch.float32
    return [
        outcome(partial(torch.autograd.gradcheck, torch.exp, x, **options))
        for options in ({}, {"check_grad_dtypes": True}, {"fast_mode": True})
    ]


def what_ignores_zeros(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2 if g.any() else torch.ones_like(g)

    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    return [
        outcome(partial(torch.autograd.gradcheck, Doubled.apply, x, **options))
        for options in ({}, {"fast_mode": True}, {"masked": True})
    ]


def what_is_no_number(torch):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    seen = []
    for function in (
        lambda a: a > 1,
        lambda a: (a * 2, a > 1),
        lambda a: a.argmax(),
        lambda a: (a * 2, a.argmax()),
        lambda a: torch.ones(2, dtype=torch.float64),
    ):
        seen.append(outcome(lambda function=function: torch.autograd.gradcheck(function, (x,))))
    second = outcome(lambda: torch.autograd.gradgradcheck(lambda a: a > 1, (x,)))
    return seen, second["raises"]


def outputs_without_a_gradient_ahead(torch):
    f64, check = torch.float64, torch.autograd.gradcheck
    x = torch.tensor([0.5, -1.5], dtype=f64, requires_grad=True)
    plain, whole = x.detach(), torch.tensor([1, 2])
    single = torch.tensor([0.5, -1.5], requires_grad=True)

    def sums(a, b):
        return a.sum(), b.sum(), a * 2

    def both(a, b):
        return a, b

    seen = []
    for function, inputs in (
        (sums, (plain, x)),
        (sums, (whole, x)),
        (both, (whole, x)),
        (both, (plain, x)),
        (both, (3, x)),
        (lambda a, b: (a * 2, b.detach()), (plain, x)),
        (lambda a: None, (x,)),
        (lambda a: (a.detach(), a * 2), (x,)),
    ):
        for options in (
            {}, {"check_forward_ad": True}, {"fast_mode": True},
            {"check_forward_ad": True, "check_backward_ad": False},
            {"check_forward_ad": True, "check_backward_ad": False, "fast_mode": True},
        ):  # fmt: skip
            seen.append(outcome(lambda f=function, i=inputs, o=options: check(f, i, **o)))
    wrong = outcome(lambda: check(lambda a, b: a * b.detach(), (x, single), fast_mode=True))
    return [*seen, wrong["says"][-30:]]
