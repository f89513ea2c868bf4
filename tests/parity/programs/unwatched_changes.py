"""What changes where nobody differentiates: forms of views, integers that forward has changed."""

from ..harness import graph, outcome

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


def integers_that_forward_has_changed(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, counts, x):
            counts.mul_(2)
            ctx.mark_dirty(counts)
            return counts, x * 2

        @staticmethod
        def backward(ctx, by_counts, g):
            return None, g * 2

    counts, leaf = torch.tensor([1, 2]), torch.tensor([1.0], requires_grad=True)
    first, second = Doubled.apply(counts, leaf)
    second.backward()
    return first is counts, counts, counts._version, leaf.grad


def hooks_on_saved_tensors_that_cannot_be_called(torch):
    leaf = torch.ones(2, requires_grad=True)
    saved = (leaf * leaf).grad_fn._raw_saved_self
    text = outcome(lambda: saved.register_hooks(1, 2))
    text["says"] = text["says"].partition(" object at")[0]
    return type(saved).__name__, type(saved).__module__, text


def refusing_hooks_with_something_else(torch):
    def enter():
        with torch.autograd.graph.disable_saved_tensors_hooks(1):
            return "entered"

    return outcome(enter)


def set_tells_other_names(torch):
    base = torch.tensor([[1.0, 2.0]])
    view = base.expand(2, 2)
    view.set_(torch.zeros(3))
    return view, view._version, base, base._version


def levels_of_tensors_that_are_not_dual(torch):
    forward_ad = torch.autograd.forward_ad
    plain = torch.ones(2)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(plain, plain * 2)
        return [
            outcome(lambda each=each, level=level: forward_ad.unpack_dual(each, level=level))
            for each in (plain, dual)
            for level in (0, 1, 3)
        ]


def tangents_in_a_list(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def jvp(ctx, t):
            return [t * 2, t * 3]

    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        return outcome(lambda: Two.apply(forward_ad.make_dual(torch.ones(2), torch.ones(2))))


def gradcheck_of_what_is_no_number(torch):
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
