"""Views changed where no gradient is asked for: in place, to another form."""

from tests.parity.harness import graph, outcome

_VIEWS = {
    "view": lambda b: b.view(2, 2),
    "slice": lambda b: b[1:3],
    "select": lambda b: b[1],
    "t": lambda b: b.view(2, 2).t(),
    "expand": lambda b: b.expand(2, 4),
    "one of several": lambda b: b.unbind()[1],
    "a part": lambda b: b.split(2)[0],
    "detached": lambda b: b.detach(),
}


def forms_of_views_under_no_grad(torch):
    def change(make):
        leaf = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
        view = make(leaf)
        with torch.no_grad():
            view.unsqueeze_(0)
        return [
            list(view.shape),
            view._version,
            outcome(lambda: graph(view.grad_fn)),
            outcome(lambda: (view * 2).sum().backward()),
            leaf.grad,
        ]

    return {name: change(make) for name, make in _VIEWS.items()}


def forms_of_views_without_a_history(torch):
    def change(make):
        base = torch.arange(4.0)
        view = make(base)
        view.unsqueeze_(0)
        leaf = torch.tensor(2.0, requires_grad=True)
        base.mul_(leaf)
        return [list(view.shape), view._version, outcome(lambda: graph(view.grad_fn))]

    return {name: change(make) for name, make in _VIEWS.items()}
