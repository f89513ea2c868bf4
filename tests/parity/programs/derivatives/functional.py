"""autograd.functional: Jacobians, Hessians and their products with vectors."""

from tests.parity.harness import outcome


def _vector(torch, values=(1.0, 2.0), requires_grad=False):
    return torch.tensor(list(values), requires_grad=requires_grad)


def _functions(torch):
    return {
        "square": lambda x: x**2 * 3,
        "linear": lambda x: x * 2,
        "constant": lambda x: torch.ones(2),
        "sum of cubes": lambda x: (x**3).sum(),
        "tuple": lambda x: (x * 2, x.exp()),
        "detached": lambda x: x.detach(),
        "one element": lambda x: (x**3).sum().reshape(1),
        "sum": lambda x: x.sum(),
        "list": lambda x: [x * 2],
    }


def _combined(torch, name, **options):
    """What a function of the module makes of each function of one tensor, or its error."""
    found = {}
    for key, function in _functions(torch).items():
        x = _vector(torch)
        if name == "vjp":
            result = function(x)
            several = isinstance(result, tuple)
            v = tuple(torch.ones_like(each) for each in result) if several else None
            v = torch.ones_like(result) if isinstance(result, torch.Tensor) else v
            args = (function, x, v)
        elif name in ("jvp", "hvp", "vhp"):
            args = (function, x, torch.tensor([1.0, 0.5]))
        else:
            args = (function, x)
        product = getattr(torch.autograd.functional, name)
        found[key] = outcome(
            lambda args=args, product=product: _without_nodes(product(*args, **options))
        )
    return found


def _without_nodes(value):
    """Values and whether they have a history: which operators formed it is nobody's promise."""
    if isinstance(value, tuple | list):
        return [type(value).__name__, *[_without_nodes(each) for each in value]]
    return [value.detach(), value.requires_grad]


def _program(product, **options):
    def program(torch):
        return _combined(torch, product, **options)

    return program


for _product in ("vjp", "jvp", "hvp", "vhp", "jacobian", "hessian"):
    for _options, _given in {
        "": {},
        "_with_graph": {"create_graph": True},
        "_strict": {"strict": True},
        "_strict_with_graph": {"strict": True, "create_graph": True},
    }.items():
        globals()[_product + _options] = _program(_product, **_given)


def jacobian_vectorized(torch):
    return _combined(torch, "jacobian", vectorize=True)


def jacobian_in_forward_mode(torch):
    return _combined(torch, "jacobian", vectorize=True, strategy="forward-mode")


def hessian_vectorized(torch):
    return _combined(torch, "hessian", vectorize=True)


def hessian_in_forward_mode(torch):
    return _combined(torch, "hessian", vectorize=True, outer_jacobian_strategy="forward-mode")


def several_inputs_and_outputs(torch):
    functional = torch.autograd.functional
    args = _vector(torch), _vector(torch, (3.0, 4.0))

    def two(x, y):
        return x * y, x.exp()

    return [
        functional.jacobian(two, args),
        functional.jacobian(two, args, vectorize=True, strategy="forward-mode"),
        functional.vjp(two, args, args),
        functional.jvp(two, args, args),
        outcome(lambda: functional.jacobian(two, args, strict=True)),
        functional.jacobian(lambda x: x * 2, args[:1]),
    ]


def several_inputs_of_a_lone_number(torch):
    functional = torch.autograd.functional
    args = _vector(torch), _vector(torch, (3.0, 4.0))
    v = _vector(torch), _vector(torch, (0.5, 1.0))

    def product(x, y):
        return (x * x * y).sum()

    def first_only(x, y):
        return (x**2).sum()

    return [
        functional.hessian(product, args),
        functional.hvp(product, args, v),
        functional.vhp(product, args, v),
        functional.hessian(first_only, args),
        functional.hessian(lambda x: (x**2).sum(), args[:1]),
        outcome(lambda: functional.hessian(product, args, strict=True)),
        outcome(lambda: functional.hessian(first_only, args, strict=True)),
        outcome(lambda: functional.hvp(first_only, args, v, strict=True)),
        outcome(lambda: functional.vhp(first_only, args, v, strict=True)),
    ]


def vectors_may_be_left_out_for_lone_numbers(torch):
    functional = torch.autograd.functional
    products = [functional.vjp, functional.jvp, functional.hvp, functional.vhp]
    found = []
    for product in products:
        for x in (torch.tensor(3.0), torch.tensor([3.0]), torch.tensor([1.0, 2.0])):
            found.append(outcome(lambda p=product, x=x: p(lambda y: y**3, x)))
    return found


def vectors_of_wrong_sizes(torch):
    functional = torch.autograd.functional
    x = _vector(torch)

    def two(x, y):
        return x * y, x.exp()

    found = []
    for product in (functional.vjp, functional.jvp):
        found += [
            outcome(lambda p=product: p(two, (x, x), (x,))),
            outcome(lambda p=product: p(two, (x, x), (x, torch.ones(1)))),
            outcome(lambda p=product: p(lambda x: x * 2, x, (x, x))),
            outcome(lambda p=product: p(lambda x: x * 2, x, torch.ones(1))),
        ]
    return found


def what_is_no_tensor(torch):
    functional = torch.autograd.functional
    x = _vector(torch)
    return [
        outcome(lambda: functional.vjp(lambda x: x * 2, 3.0)),
        outcome(lambda: functional.jvp(lambda x: x * 2, (x, 3.0))),
        outcome(lambda: functional.jacobian(lambda x: x * 2, [x])),
        outcome(lambda: functional.jvp(lambda x: x * 2, x, 3.0)),
        outcome(lambda: functional.jacobian(lambda x: x.tolist(), x)),
        outcome(lambda: functional.jacobian(lambda x: (x, 3.0), x)),
        outcome(lambda: functional.hessian(lambda x: 3.0, x)),
    ]


def options_that_do_not_go_together(torch):
    functional, x = torch.autograd.functional, _vector(torch)

    def square(x):
        return (x**2).sum()

    return [
        outcome(lambda: functional.jacobian(square, x, strategy="sideways")),
        outcome(lambda: functional.hessian(square, x, outer_jacobian_strategy="sideways")),
        outcome(lambda: functional.jacobian(square, x, strategy="forward-mode")),
        outcome(lambda: functional.jacobian(square, [x], strategy="forward-mode")),
        outcome(lambda: functional.jacobian(square, x, True, strategy="forward-mode")),
        outcome(lambda: functional.jacobian(square, x, False, True, True, "forward-mode")),
        outcome(lambda: functional.jacobian(square, x, strict=True, vectorize=True)),
        outcome(lambda: functional.hessian(square, x, outer_jacobian_strategy="forward-mode")),
    ]


def under_no_grad(torch):
    functional, x = torch.autograd.functional, _vector(torch)
    with torch.no_grad():
        return [
            functional.jacobian(lambda x: x**2, x),
            functional.vjp(lambda x: x**2, x, x),
            functional.jvp(lambda x: x**2, x, x),
            functional.jacobian(torch.no_grad()(lambda x: x**2), x),
        ]


def lone_numbers_and_nothing(torch):
    functional = torch.autograd.functional
    return [
        functional.jacobian(lambda x: x**2, torch.tensor(3.0)),
        functional.hessian(lambda x: x**3, torch.tensor(3.0)),
        outcome(lambda: functional.jacobian(lambda x: x**2, torch.tensor([]))),
        outcome(lambda: functional.jacobian(lambda x: x * 2, torch.tensor([1, 2]))),
        functional.jacobian(lambda x: x.double() ** 2, _vector(torch)),
    ]


def inputs_are_left_alone(torch):
    x = _vector(torch, requires_grad=True)
    functional = torch.autograd.functional
    found = functional.jacobian(lambda y: x * y, x)
    seen, constant = [], _vector(torch)

    def squares(y):
        seen.append(y is constant)
        return (y**2).sum()

    forward = {"outer_jacobian_strategy": "forward-mode", "vectorize": True}
    second = functional.hessian(squares, constant, **forward)
    functional.jacobian(squares, constant, strategy="forward-mode", vectorize=True)
    left = [x.grad, x.requires_grad, constant.requires_grad, any(seen)]
    return [found, second.tolist(), *left]


def gradients_of_derivatives(torch):
    functional = torch.autograd.functional
    found = []
    for name in ("jacobian", "hessian"):
        x = _vector(torch, requires_grad=True)
        power = {"jacobian": lambda y: y**3, "hessian": lambda y: (y**3).sum()}[name]
        getattr(functional, name)(power, x, create_graph=True).sum().backward()
        found.append(x.grad)
    v, x = _vector(torch, requires_grad=True), _vector(torch, requires_grad=True)
    _, product = functional.jvp(lambda y: y**2, x, v, create_graph=True)
    return [*found, torch.autograd.grad(product.sum(), [x, v])]


def without_inputs_or_outputs(torch):
    functional, x = torch.autograd.functional, torch.ones(2)
    return [
        outcome(call)
        for call in (
            lambda: functional.vjp(lambda *inputs: torch.ones(1), ()),
            lambda: functional.vjp(lambda y: (), x),
            lambda: functional.vjp(lambda y: (), x, ()),
            lambda: functional.jvp(lambda *inputs: torch.ones(2), ()),
            lambda: functional.jvp(lambda *inputs: torch.ones(2), (), ()),
            lambda: functional.jvp(lambda y: (), x, x),
            lambda: functional.vhp(lambda *inputs: torch.ones(1), (), ()),
            lambda: functional.hvp(lambda *inputs: torch.ones(1), (), (), create_graph=True),
            lambda: functional.jacobian(lambda *inputs: torch.ones(2), (), vectorize=True),
            lambda: functional.jacobian(lambda y: (), x),
            lambda: functional.jacobian(lambda y: (), x, create_graph=True, strict=True),
            lambda: functional.hessian(lambda *inputs: torch.ones(1), ()),
        )
    ]


def columns_in_memory(torch):
    x = torch.arange(6.0).reshape(2, 3)
    options = {"vectorize": True, "strategy": "forward-mode"}
    functions = lambda x: x * 2, lambda x: x.sum(0), lambda x: (x[0, 0] * 2, x * x)
    found = [torch.autograd.functional.jacobian(f, x, **options) for f in functions]
    strides = [[each.stride() for each in _tuple(part)] for part in found]
    x.requires_grad_()
    history = torch.autograd.functional.jacobian(lambda x: x**2, x, **options).grad_fn
    return strides, history.name(), history.next_functions[0][0].name()


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)
