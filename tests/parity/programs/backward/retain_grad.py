"""retain_grad, retains_grad, and the warning on .grad of what is no leaf."""

from tests.parity.harness import outcome, warned


def retained_gradients(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    before = y.retains_grad
    y.retain_grad()
    after = y.retains_grad
    z = y * y
    z.backward()
    return [before, after, y.grad, z.retains_grad, x.retains_grad, x.grad]


def on_leaves_it_does_nothing(torch):
    x = torch.tensor(2.0, requires_grad=True)
    returned = x.retain_grad()
    (x * 3).backward()
    return [returned, x.retains_grad, x.grad]


def on_what_does_not_require_grad(torch):
    x = torch.tensor(2.0)
    return [outcome(x.retain_grad), x.retains_grad]


def called_twice(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.retain_grad()
    (y * 5).backward()
    return y.grad


def called_after_backward(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * 1
    z.backward(retain_graph=True)
    y.retain_grad()
    seen = [y.grad]
    z.backward()
    return [seen, y.grad]


def retained_gradients_accumulate(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    (y * 2).backward(retain_graph=True)
    (y * 5).backward()
    return [y.grad, x.grad]


def the_root_can_retain(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.backward()
    return y.grad


def after_a_change_in_place_it_is_the_new_value_that_counts(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.mul_(10)
    (y * 5).backward()
    return [y.grad, y.retains_grad, x.grad]


def a_change_in_place_then_retain(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.mul_(10)
    y.retain_grad()
    (y * 5).backward()
    return [y.grad, x.grad]


def retained_by_a_base_whose_view_is_changed(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    y[0].mul_(10)
    (y * 5).sum().backward()
    return [y.grad, x.grad]


def retained_under_autograd_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    grads = torch.autograd.grad(y * 5, x)
    return [grads, y.grad, x.grad]


def retained_gradients_are_copies(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    z = y + 0
    z.retain_grad()
    z.backward(torch.tensor([1.0]))
    z.grad.add_(100)
    return [y.grad, z.grad, x.grad]


def when_the_warning_appears(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    retained = x * 4
    retained.retain_grad()
    with torch.no_grad():
        unrecorded = x * 3
    constant = torch.tensor(1.0) * 2
    return {
        "leaf": warned(lambda: x.grad),
        "non_leaf": warned(lambda: y.grad),
        "each_time": warned(lambda: (y.grad, y.grad)),
        "retained": warned(lambda: retained.grad),
        "unrecorded": warned(lambda: unrecorded.grad),
        "constant": warned(lambda: constant.grad),
        "detached": warned(lambda: y.detach().grad),
        "view": warned(lambda: x.view(1).grad),
    }


def after_backward_the_warning_stays(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.backward()
    return [warned(lambda: y.grad), warned(lambda: x.grad)]


def setting_grad_of_a_non_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3

    def set_grad():
        y.grad = torch.tensor(7.0)

    return [warned(set_grad), warned(lambda: y.grad), y.grad]


def printing_does_not_warn(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    return [warned(lambda: str(y)), warned(lambda: y.backward())]


def a_leaf_by_detach_in_place_does_not_warn(torch):
    y = torch.tensor(2.0, requires_grad=True) * 3
    y.detach_()
    return warned(lambda: y.grad)


def a_view_without_a_place_in_the_graph_retains_nothing(torch):
    class FirstRow(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[0]

        @staticmethod
        def backward(ctx, g):
            return g.expand(2, 2)

    x = torch.ones(2, 2, requires_grad=True) * 1
    view = FirstRow.apply(x)
    x.mul_(2)
    return [outcome(view.retain_grad), view.retains_grad, outcome(view.retain_grad)]
