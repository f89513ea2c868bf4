"""What indices, masks and classes an operator keeps, and that it notices when they are changed."""

from tests.parity.harness import outcome


def _after_change(index, make):
    """Return what backward does when `index` is changed between `make` and it."""
    made = make()
    index.zero_()
    return [made.grad_fn.name(), outcome(made.sum().backward)]


def indices_changed_before_backward(torch):
    x = torch.ones(2, 3, requires_grad=True)
    of_dim = {
        "index_select": (),
        "index_fill": (1.0,),
        "index_add": (torch.ones(2, 3),),
        "index_copy": (torch.ones(2, 3),),
    }
    of_elements = {
        "gather": (),
        "scatter": (2.0,),
        "scatter_add": (torch.ones(1, 3),),
    }
    found = []
    for values, methods in (([0, 1], of_dim), ([[0, 1, 1]], of_elements)):
        for name, rest in methods.items():
            index = torch.tensor(values)
            found.append(_after_change(index, lambda: getattr(x, name)(0, index, *rest)))  # noqa: B023 - called at once
    index = torch.tensor([0, 4])
    return [*found, _after_change(index, lambda: x.take(index))]


def indices_of_sources_changed_before_backward(torch):
    x, y = torch.ones(2, 3), torch.ones(2, 3, requires_grad=True)
    rows, places = torch.tensor([0, 1]), torch.tensor([[0, 1, 1]])
    return [
        _after_change(rows, lambda: x.index_add(0, rows, y)),
        _after_change(places, lambda: x.scatter_add(0, places, y)),
    ]


def masks_changed_before_backward(torch):
    x = torch.ones(2, 3, requires_grad=True)
    makers = (
        lambda mask: torch.where(mask, x, 0.0),
        lambda mask: x.masked_fill(mask, 0.0),
        lambda mask: x.masked_select(mask),
        lambda mask: (x * 1).masked_fill_(mask, 0.0),
    )
    found = []
    for make in makers:
        mask = torch.tensor([[True, False, True], [False, False, True]])
        found.append(_after_change(mask, lambda: make(mask)))  # noqa: B023 - called at once
    return found


def classes_changed_before_backward(torch):
    x, target = torch.zeros(2, 3, requires_grad=True), torch.tensor([0, 2])
    return _after_change(target, lambda: torch.nn.functional.nll_loss(x, target))


def backward_of_nll_loss_is_a_node(torch):
    functional = torch.nn.functional
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    image = torch.arange(12.0).reshape(1, 3, 2, 2).requires_grad_()
    weight = torch.tensor([1.0, 2.0, 3.0])
    found = []
    for scores, target in (
        (x, torch.tensor([0, 2])),
        (image, torch.tensor([[[0, 1], [-100, 2]]])),
    ):
        for reduction in ("mean", "sum", "none"):
            loss = functional.nll_loss(scores, target, weight, reduction=reduction)
            seed = torch.ones_like(loss).requires_grad_()
            (grad,) = torch.autograd.grad(loss, scores, seed, create_graph=True)
            edges = [each and each.name() for each, _ in grad.grad_fn.next_functions]
            again = torch.autograd.grad((grad * grad).sum(), [seed, scores], allow_unused=True)
            found.append([grad, grad.grad_fn.name(), edges, again])
    return found
