"""Leaves and what requires grad."""

from tests.parity.harness import outcome


def _flags(tensor):
    return [tensor.is_leaf, tensor.requires_grad, tensor.grad_fn is None]


def flags_of_combinations(torch):
    grad = torch.tensor([1.0, 2.0], requires_grad=True)
    plain = torch.tensor([1.0, 2.0])
    ints = torch.tensor([1, 2])
    with torch.no_grad():
        unrecorded = grad * 2
        unrecorded_view = grad.view(2, 1)
        created = torch.tensor([1.0], requires_grad=True)
    results = {
        "grad": grad,
        "plain": plain,
        "grad+plain": grad + plain,
        "plain+plain": plain + plain,
        "plain+ints": plain + ints,
        "grad*ints": grad * ints,
        "unrecorded": unrecorded,
        "unrecorded_view": unrecorded_view,
        "created_under_no_grad": created,
        "from_unrecorded": unrecorded * 2,
        "mixed_with_unrecorded": unrecorded * grad,
        "comparison": grad > 1,
        "detached": grad.detach(),
        "from_detached": grad.detach() * 2,
        "clone": grad.clone(),
        "clone_of_detached": grad.detach().clone(),
        "data": grad.data,
        "view": grad.view(2),
        "view_of_plain": plain.view(2, 1),
        "long": (grad * 2).long(),
        "zeros_like": torch.zeros_like(grad),
        "detached_requiring_grad": (grad * 2).detach().requires_grad_(),
    }
    return {name: _flags(tensor) for name, tensor in results.items()}


def requires_grad_set_on_leaves(torch):
    x = torch.tensor(1.0)
    x.requires_grad = True
    on = x.requires_grad
    x.requires_grad_(False)
    off = x.requires_grad
    again = x.requires_grad_(True) is x
    return [on, off, again, x.requires_grad]


def requires_grad_on_non_leaves(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2

    def set_attribute(value):
        y.requires_grad = value

    return [
        outcome(lambda: set_attribute(True)),
        outcome(lambda: set_attribute(False)),
        outcome(lambda: y.requires_grad_()),
        outcome(lambda: y.requires_grad_(False)),
        y.requires_grad,
    ]


def requires_grad_on_integers(torch):
    i = torch.tensor([1, 2])

    def set_attribute():
        i.requires_grad = True

    return [
        outcome(set_attribute),
        outcome(lambda: i.requires_grad_()),
        outcome(lambda: i.requires_grad_(False)),
    ]


def requires_grad_set_to_what_is_no_bool(torch):
    x = torch.tensor(1.0)

    def set_to(value):
        def set_attribute():
            x.requires_grad = value

        return [outcome(set_attribute), outcome(lambda: x.requires_grad_(value))]

    outcomes = [set_to(value) for value in (0, 1, 1.0, None, "False", torch.tensor(True))]
    return [outcomes, x.requires_grad]


def requires_grad_set_after_use(torch):
    x = torch.tensor(3.0)
    before = x * 2
    x.requires_grad_()
    after = x * 2
    return [_flags(before), _flags(after), outcome(lambda: before.backward())]


def requires_grad_taken_away_after_use(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    x.requires_grad_(False)
    y.backward()
    return [x.requires_grad, x.grad, _flags(x * 2)]


def a_leaf_named_by_is_leaf_cannot_be_set(torch):
    x = torch.tensor(1.0)

    def set_is_leaf():
        x.is_leaf = False

    return outcome(set_is_leaf)["raises"]


def a_result_of_ints_never_requires_grad(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [_flags(x.long()), _flags(x > 0), _flags(x == x)]


def grad_of_a_leaf_can_be_set(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.tensor([5.0, 5.0])
    (x * 2).sum().backward()
    seen = x.grad.tolist()
    x.grad = None
    return [seen, x.grad]


def grad_must_fit_its_tensor(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def set_grad(grad):
        x.grad = grad

    return [
        outcome(lambda: set_grad(torch.zeros(3))),
        outcome(lambda: set_grad(torch.zeros(2, dtype=torch.float64))),
        outcome(lambda: set_grad(1.0)),
        outcome(lambda: set_grad(x)),
    ]
