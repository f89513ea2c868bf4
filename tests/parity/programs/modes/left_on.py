"""Python that runs in backward may switch modes: each node and the caller get them anew."""

import contextlib


def _switching(torch, place, switch):
    """The modes that hooks see, after one in a `place` has switched them, and afterwards."""
    seen, x, w = [], torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 2
    product = y * w

    def look(*grads):
        modes = [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]
        seen.append([*modes, torch._C._is_fwd_grad_enabled()])

    def act(*grads):
        switch()
        look()

    {
        "tensor": product.register_hook,
        "before": product.grad_fn.register_prehook,
        "after": product.grad_fn.register_hook,
        "leaf": w.register_hook,
        "accumulated": w.register_post_accumulate_grad_hook,
    }[place](act)
    for register in (product.grad_fn.register_hook, y.register_hook, x.register_hook):
        register(look)
    product.sum().backward(create_graph=place == "leaf")
    look()
    return [seen, x.grad, w.grad]


def a_hook_records_from_now_on(torch):
    places = "tensor", "before", "after", "leaf", "accumulated"
    return [_switching(torch, place, lambda: torch.set_grad_enabled(True)) for place in places]


def a_hook_stops_recording(torch):
    return _switching(torch, "leaf", lambda: torch.set_grad_enabled(False))


def a_hook_stops_forward_mode(torch):
    places = "tensor", "before", "after", "leaf", "accumulated"
    return [_switching(torch, p, lambda: torch._C._set_fwd_grad_enabled(False)) for p in places]


def a_hook_enters_inference_mode(torch):
    mode = torch.inference_mode()
    return _switching(torch, "tensor", mode.__enter__)


def a_hook_on_what_is_asked_for(torch):
    seen, x, w = [], torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: torch.set_grad_enabled(True) and None)
    w.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    grads = torch.autograd.grad(((y * w) + (w * 2)).sum(), (y, w))
    return [grads, seen, torch.is_grad_enabled()]


def _switching_in_backward(torch):
    seen = []

    class Switching(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            seen.append(torch.is_grad_enabled())
            torch.set_grad_enabled(not torch.is_grad_enabled())
            return g * 2

    return Switching, seen


def a_backward_that_switches(torch):
    function, seen = _switching_in_backward(torch)
    x = torch.ones(2, requires_grad=True)
    for create_graph in (False, True):
        y = function.apply(function.apply(x * 3))
        y.sum().backward(create_graph=create_graph)
    return [seen, x.grad, torch.is_grad_enabled()]


def a_backward_of_a_part_that_switches(torch):
    function, seen = _switching_in_backward(torch)
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    function.apply(y[0])
    function.apply(y[1])
    y.sum().backward()
    return [seen, x.grad, torch.is_grad_enabled()]


def hooks_on_what_is_saved_that_a_hook_enters(torch):
    def after(place, create_graph=False):
        seen, x = [], torch.ones(2, requires_grad=True)
        y = x * x
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda tensor: seen.append(tensor.tolist()) or tensor, lambda tensor: tensor
        )
        register = {
            "tensor": y.register_hook,
            "after": y.grad_fn.register_hook,
            "leaf": x.register_hook,
            "accumulated": x.register_post_accumulate_grad_hook,
        }[place]
        register(lambda *grads: hooks.__enter__())
        y.sum().backward(create_graph=create_graph)
        seen.append("over")
        x * x
        return seen

    places = "tensor", "after", "leaf", "accumulated"
    return [*[after(place) for place in places], after("leaf", create_graph=True)]


def hooks_on_what_is_saved_last_as_long_as_the_node(torch):
    def seen_from(place, entering):
        seen, x = [], torch.ones(2, requires_grad=True)
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda tensor: seen.append("pack") or tensor, lambda tensor: tensor
        )

        def act(*grads):
            seen.append("hook")
            (hooks.__enter__ if entering else hooks.__exit__)()

        with contextlib.nullcontext() if entering else hooks:
            y = x.exp()
            z = y.sin()
            (z.grad_fn.register_hook if place == "after" else z.register_hook)(act)
            y.register_hook(lambda grad: seen.append("next"))
            z.cos().sum().backward(create_graph=True)
            seen.append("over")
            x * x
        return seen

    return [seen_from(place, how) for place in ("tensor", "after") for how in (True, False)]
