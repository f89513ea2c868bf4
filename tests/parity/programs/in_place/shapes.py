"""Views in place: another shape of the same memory, on results, leaves, views and constants."""

from tests.parity.changes import after, changed
from tests.parity.harness import outcome

_CHANGES = [
    "y.t_()", "y.transpose_(0, 1)", "y.transpose_(-1, 0)", "y.swapaxes_(0, 1)",
    "y.swapdims_(0, 1)", "y.squeeze_()", "y.squeeze_(0)", "y.unsqueeze_(0)",
    "y.unsqueeze_(-1)", "y.as_strided_((2,), (1,))", "y.as_strided_((2,), (1,), 1)",
    "y.as_strided_((2, 2), (1, 1))", "y.unsqueeze_(9)", "y.transpose_(0, 5)", "y.t_().t_()",
    "y.as_strided_((20,), (1,))", "y.unsqueeze_(0).squeeze_()", "y.t_().mul_(2)",
    "y.mul_(2).t_().mul_(y)", "torch.as_strided_(y, (2,), (1,))", "y.unsqueeze_(0).t_()",
]  # fmt: skip
_SIZES = ["y.resize_(3, 2)", "y.resize_(2)", "y.resize_((2, 1))", "y.resize_(0)",
          "y.resize_([1, 2])", "y.resize_as_(w)", "y.resize_(())"]  # fmt: skip


def of_a_result(torch):
    return changed(torch, "x * 1", _CHANGES + _SIZES)


def of_a_part(torch):
    return changed(torch, "(x * 1)[:, :2]", _CHANGES + _SIZES)


def of_a_view_of_the_whole(torch):
    return changed(torch, "(x * 1).view(3, 2)", _CHANGES)


def of_a_tensor_with_dimensions_of_length_one(torch):
    return changed(
        torch,
        "(c * 1)",
        [
            "y.squeeze_()",
            "y.squeeze_(0)",
            "y.squeeze_(1)",
            "y.squeeze_(-1)",
            "y.t_()",
        ],
    )


def of_a_number(torch):
    return changed(
        torch,
        "s * 1",
        [
            "y.t_()",
            "y.unsqueeze_(0)",
            "y.squeeze_()",
            "y.squeeze_(0)",
            "y.transpose_(0, 0)",
            "y.resize_(1)",
            "y.resize_(1, 1)",
        ],
    )


def of_three_dimensions(torch):
    return changed(torch, "k * 1", ["y.transpose_(0, 2)", "y.swapaxes_(1, 2)"])


def of_a_leaf(torch):
    return changed(torch, "x", _CHANGES + _SIZES)


def of_a_leaf_under_no_grad(torch):
    seen = {}
    for change in (lambda x: x.t_(), lambda x: x.unsqueeze_(0), lambda x: x.squeeze_(),
                   lambda x: x.resize_(3), lambda x: x.as_strided_((2,), (1,))):  # fmt: skip
        x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
        with torch.no_grad():
            result = outcome(lambda c=change, x=x: c(x))
        seen[len(seen)] = [result, after(x)]
    return seen


def of_a_result_under_no_grad(torch):
    x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    y = x * 1
    with torch.no_grad():
        y.t_()
    return after(y)


def the_base_keeps_its_history(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    base = x * 1
    view, other = base[:, :1], base[0]
    view.t_()
    (view * torch.tensor([[1.0, 10.0]])).sum().backward()
    return [after(base), after(view), after(other), x.grad]


def a_change_after_the_view_reaches_the_base(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    base = x * 1
    view = base[:, :1]
    view.t_()
    view.mul_(torch.tensor([[2.0, 3.0]]))
    base.sum().backward()
    return [after(base), after(view), x.grad]


def a_saved_tensor_notices(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    z = y * y
    y.t_()
    return outcome(z.sum().backward)


def retained_gradients_follow(torch):
    x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.t_()
    (y * torch.tensor([[1.0], [2.0], [3.0]])).sum().backward()
    return [y.grad, x.grad]


def growing(torch):
    x = torch.tensor([1.0, 2.0])
    x.resize_(4)
    x[2:] = 7.0
    seen = [after(x)]
    x.resize_(2, 1)
    x.resize_(2, 2)
    return [*seen, after(x), x.untyped_storage().nbytes()]


def an_alias_does_not_follow(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    alias = x.detach()
    alias.t_()
    alias.unsqueeze_(0)
    alias.resize_(3)
    alias.zero_()
    return [after(x), after(alias)]


def other_memory(torch):
    seen = {}
    for name, change in {
        "another": lambda y: y.set_(torch.tensor([5.0])),
        "none": lambda y: y.set_(),
        "another dtype": lambda y: y.set_(torch.tensor([5])),
    }.items():
        for requires in (False, True):
            y = torch.tensor([1.0, 2.0], requires_grad=requires) * 1
            seen[f"{name} {requires}"] = [outcome(lambda c=change, y=y: c(y) is y), after(y)]
    return seen
