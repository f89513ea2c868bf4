"""A gradient that nobody else holds becomes `.grad` as it is, whoever sees its memory."""

import numpy as np


def _backward_returns(torch, make):
    class Returning(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return make(g)

    return Returning


def _given_twice(torch, function):
    x, w = (torch.ones(2, 3, requires_grad=True) for _ in range(2))
    y = function(x, w)
    given = torch.ones_like(y)
    for _ in range(2):
        y.backward(given, retain_graph=True)
    return [given, x.grad, w.grad]


def what_is_given_twice(torch):
    functions = (
        lambda x, w: x.view(6),
        lambda x, w: x.flatten(),
        lambda x, w: x.t(),
        lambda x, w: x[None].squeeze(0),
        lambda x, w: x.expand(1, 2, 3),
        lambda x, w: torch.cat([x, w]),
        lambda x, w: torch.stack([x, w]),
        lambda x, w: torch.cat([x, w], 1),
        lambda x, w: x + w,
        lambda x, w: x.clone().view(6),
        lambda x, w: x[0],
    )
    return [_given_twice(torch, function) for function in functions]


def what_a_backward_keeps(torch):
    seen = []
    for make in (
        lambda kept: kept,
        lambda kept: kept.detach(),
        lambda kept: kept.data,
        lambda kept: kept[:],
        lambda kept: kept.view(3, 2).view(2, 3),
        lambda kept: kept.t().clone().t(),
        lambda kept: kept[:1].expand(2, 3),
    ):
        kept, x = torch.full((2, 3), 5.0), torch.ones(2, 3, requires_grad=True)
        y = _backward_returns(torch, lambda g, make=make, kept=kept: make(kept)).apply(x)
        for _ in range(3):
            y.sum().backward(retain_graph=True)
        seen.append([kept, x.grad, x.grad.stride()])
    return seen


def an_array_that_a_backward_keeps(torch):
    kept, x = np.ones((2, 3), "float32"), torch.ones(2, 3, requires_grad=True)
    y = _backward_returns(torch, lambda g: torch.from_numpy(kept)).apply(x)
    for _ in range(3):
        y.sum().backward(retain_graph=True)
    return [kept, x.grad]


def _same_memory(torch, set_hooks):
    x, kept, addresses = torch.ones(2, 3, requires_grad=True), [], []
    y = x.exp()

    def look(grad):
        addresses.append(grad.data_ptr())
        return grad

    set_hooks(x, y.grad_fn.next_functions[0][0], look, kept.append)
    y.sum().backward()
    return [x.grad.data_ptr() == address for address in addresses]


def what_hooks_have_seen(torch):
    return [
        _same_memory(torch, set_hooks)
        for set_hooks in (
            lambda x, node, look, keep: x.register_hook(look),
            lambda x, node, look, keep: x.register_hook(lambda g: keep(look(g))),
            lambda x, node, look, keep: x.register_hook(lambda g: keep(look(g).detach())),
            lambda x, node, look, keep: x.register_hook(lambda g: keep(look(g).numpy())),
            lambda x, node, look, keep: x.register_hook(lambda g: keep(look(g)[:])),
            lambda x, node, look, keep: x.register_hook(lambda g: look(g * 2)),
            lambda x, node, look, keep: node.register_prehook(lambda g: (look(g[0]),)),
            lambda x, node, look, keep: node.register_prehook(lambda g: (look(g[0] * 2),)),
            lambda x, node, look, keep: node.register_prehook(lambda g: keep(look(g[0]))),
        )
    ]


def gradients_past_a_transposed_view(torch):
    """The part of a view comes to the operation in the order of its indices."""
    seen = []
    for change in (
        lambda y, b: y.mul_(b),
        lambda y, b: y.copy_(b),
        lambda y, b: y.add_(b),
        lambda y, b: y.mul_(3).add_(b.exp()),
    ):
        x0 = torch.ones(2, 3, requires_grad=True)
        b = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
        x = x0 * 1
        change(x.t(), b)
        grads = torch.autograd.grad((x * x).sum(), (x0, b), create_graph=True, allow_unused=True)
        again = torch.autograd.grad(grads[1].sum(), b, allow_unused=True)
        seen.append([[each, each.stride()] for each in (*grads, *again) if each is not None])
    return seen


def gradients_that_are_zero(torch):
    seen = []
    for change in (
        lambda y: y.fill_(3.0),
        lambda y: y.fill_(torch.tensor(2.0)),
        lambda y: y.zero_(),
        lambda y: y.copy_(torch.ones(3, 2)),
        lambda y: y.eq_(1),
        lambda y: y.round_(),
        lambda y: y.sign(),
        lambda y: y.floor(),
        lambda y: torch.div(y, 2, rounding_mode="floor"),
    ):
        y = (torch.arange(6.0, requires_grad=True).reshape(2, 3) * 1).t()
        y.register_hook(lambda g: seen.append([g, g.stride()]))
        change(y).backward(torch.ones(2, 3).t())
    return seen


def gradients_of_what_was_taken(torch):
    seen = []
    y = (torch.arange(6.0, requires_grad=True).reshape(2, 3) * 1).t()
    y.register_hook(lambda g: seen.append([g, g.stride()]))
    y.take(torch.tensor([0, 1, 1])).sum().backward()
    x, one = torch.arange(6.0).reshape(2, 3).t(), torch.ones(1)
    made = [x.put(torch.tensor([0]), one, accumulate=each) for each in (False, True)]
    return [seen, [[each, each.stride()] for each in made]]
