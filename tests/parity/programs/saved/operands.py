"""Which operands an operator keeps for backward: those that a gradient that is wanted asks for."""

from itertools import product

from tests.parity.harness import outcome

_OF_TWO = {
    "mul": lambda torch, a, b: a * b,
    "div": lambda torch, a, b: a / b,
    "div rounded": lambda torch, a, b: torch.div(a, b, rounding_mode="floor"),
    "pow": lambda torch, a, b: a**b,
    "matmul": lambda torch, a, b: a @ b,
    "maximum": lambda torch, a, b: torch.maximum(a, b),
    "atan2": lambda torch, a, b: torch.atan2(a, b),
    "hypot": lambda torch, a, b: torch.hypot(a, b),
    "fmod": lambda torch, a, b: torch.fmod(a, b),
    "cross": lambda torch, a, b: torch.linalg.cross(a, b),
    "index_copy": lambda torch, a, b: a.index_copy(0, torch.tensor([2, 1, 0]), b),
    "put": lambda torch, a, b: a.put(torch.tensor([0]), b[0, :1]),
    "hypot_": lambda torch, a, b: (a * 1).hypot_(b),
    "div_": lambda torch, a, b: (a * 1).div_(b),
}
_OF_THREE = {
    "addcmul": lambda torch, a, b, c: torch.addcmul(a, b, c),
    "addcdiv": lambda torch, a, b, c: torch.addcdiv(a, b, c),
    "lerp": lambda torch, a, b, c: torch.lerp(a, b, c),
    "addmm": lambda torch, a, b, c: torch.addmm(a, b, c),
    "baddbmm": lambda torch, a, b, c: torch.baddbmm(a[None], b[None], c[None]),
    "clamp": lambda torch, a, b, c: torch.clamp(a, b, c),
    "addcmul_": lambda torch, a, b, c: (a * 1).addcmul_(b, c),
    "lerp_": lambda torch, a, b, c: (a * 1).lerp_(b, c),
}


def _ends(torch, operators, count):
    values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]
    seen = {}
    for (name, operator), wanted in product(
        operators.items(), product((False, True), repeat=count)
    ):
        for changed in range(count) if any(wanted) else ():
            leaves = [torch.tensor(values).requires_grad_(each) for each in wanted]
            operands = [leaf * (place + 1) for place, leaf in enumerate(leaves)]
            result = operator(torch, *operands).sum()
            with torch.no_grad():
                operands[changed].add_(1)
            told = outcome(result.backward)
            seen[f"{name} {wanted} {changed}"] = told and told["says"].partition(" Hint:")[0]
    return seen


def by_operators_of_two_tensors(torch):
    return _ends(torch, _OF_TWO, 2)


def by_operators_of_three_tensors(torch):
    return _ends(torch, _OF_THREE, 3)


def by_sgn_and_the_gradient_of_abs(torch):
    seen = []

    def changed_before_backward(make, change):
        x = torch.tensor([1.0, -2.0, 0.0], requires_grad=True) * 1
        result = make(x)
        change(x, result)
        seen.append(outcome(lambda: len(torch.autograd.grad(result.sum(), x))))

    def gradient(x):
        return torch.autograd.grad(x.abs().sum(), x, create_graph=True)[0]

    def nothing(x, result):
        node = result.grad_fn
        seen.append([node._saved_self, node._saved_result])

    changed_before_backward(torch.sgn, nothing)
    for make in (torch.sgn, gradient):
        changed_before_backward(make, lambda x, result: x.add_(1))
        changed_before_backward(make, lambda x, result: result.detach().add_(1))
    y = torch.tensor([1.0, -2.0], requires_grad=True) * 1
    y.sgn_()
    seen += [y.grad_fn._saved_self, outcome(y.mul_(2).sum().backward)]
    return seen


def of_quotients(torch):
    x, whole = torch.tensor([3.5, -2.0], requires_grad=True), torch.tensor([2, 3])
    modes = [
        torch.div(x, 2, rounding_mode=mode).grad_fn._saved_rounding_mode
        for mode in (None, "floor", "trunc")
    ]
    left = (x % whole).grad_fn
    smooth = torch.nn.functional.logsigmoid(x).grad_fn
    return [modes, left._saved_self, left._saved_other, smooth._saved_buffer.detach()]


def copies_kept_by_what_changes_transposed_tensors(torch):
    found = []
    for change in (lambda y: y.clamp_(0, 1), lambda y: y.pow_(3), lambda y: y.mul_(y.detach() + 1)):
        x = torch.arange(-3.0, 3.0).view(2, 3).t().requires_grad_()
        y = change(x.clone())
        (gradient,) = torch.autograd.grad(y, x, torch.ones(3, 2), retain_graph=True)
        kept = y.grad_fn._saved_self
        found.append([None if kept is None else kept.stride(), gradient, gradient.stride()])
    x = torch.arange(-3.0, 3.0).view(2, 3).t().requires_grad_()
    (gradient,) = torch.autograd.grad(x.masked_select(x > -1), x, torch.ones(3))
    return [*found, gradient, gradient.stride()]


def of_what_can_be_walked_again_because_none_is_kept(torch):
    given, first = torch.tensor([0.5, 1.0]), torch.tensor([0, 1])
    seen = []
    for operation in (
        lambda x: x.addcmul(given, given),
        lambda x: x.addcdiv(given, given),
        lambda x: x.index_add(0, first, given),
        lambda x: x.scatter_add(0, first, given),
        lambda x: x.lerp(given, 0.5),
        lambda x: x * given,
    ):
        x = torch.ones(2, requires_grad=True)
        z = operation(x).sum()
        z.backward()
        seen.append([outcome(z.backward), x.grad])
    return seen
