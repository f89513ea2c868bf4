"""Backward hooks of modules: full, before, and the old kind."""

from tests.parity.harness import graph, outcome, warned
from tests.parity.sessions import shown


class _Log:
    """Hooks that note what they saw."""

    def __init__(self):
        self.seen = []

    def hook(self, name, result=None):
        def seen(module, *grads):
            self.seen.append([name, type(module).__name__, list(grads)])
            return result(*grads) if result else None

        return seen


def _linear(torch):
    layer = torch.nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, -2.0], [3.0, 0.5]]))
        layer.bias.copy_(torch.tensor([0.25, -0.25]))
    return layer


def _input(torch, requires_grad=True):
    return torch.tensor([[1.0, 2.0], [-1.0, 0.5]], requires_grad=requires_grad)


def full_hook_sees_both_gradients(torch):
    layer, x, log = _linear(torch), _input(torch), _Log()
    layer.register_full_backward_hook(log.hook("full"))
    y = layer(x)
    y.sum().backward()
    return log.seen, x.grad, graph(y.grad_fn), type(y).__name__, y.is_leaf


def full_hook_replaces_grad_input(torch):
    layer, x, log = _linear(torch), _input(torch), _Log()
    layer.register_full_backward_hook(log.hook("twice", lambda ins, outs: (ins[0] * 2,)))
    layer.register_full_backward_hook(log.hook("then"))
    layer(x).sum().backward()
    return log.seen, x.grad, layer.weight.grad


def pre_hook_replaces_grad_output(torch):
    layer, x, log = _linear(torch), _input(torch), _Log()
    layer.register_full_backward_pre_hook(log.hook("before", lambda outs: (outs[0] * 3,)))
    layer.register_full_backward_hook(log.hook("after"))
    layer(x).sum().backward()
    return log.seen, x.grad, layer.weight.grad


def pre_hook_alone(torch):
    layer, x, log = _linear(torch), _input(torch), _Log()
    layer.register_full_backward_pre_hook(log.hook("second"))
    layer.register_full_backward_pre_hook(log.hook("first"), prepend=True)
    layer(x).sum().backward()
    return log.seen


def order_and_removal(torch):
    layer, log = _linear(torch), _Log()
    layer.register_full_backward_hook(log.hook("b"))
    handle = layer.register_full_backward_hook(log.hook("c"))
    layer.register_full_backward_hook(log.hook("a"), prepend=True)
    layer(_input(torch)).sum().backward()
    handle.remove()
    layer(_input(torch)).sum().backward()
    return [name for name, *_ in log.seen], len(layer._backward_hooks)


def nested_modules(torch):
    log = _Log()
    model = torch.nn.Sequential(_linear(torch), torch.nn.ReLU(), _linear(torch))
    for module in model.modules():
        module.register_full_backward_hook(log.hook("full"))
    model(_input(torch)).sum().backward()
    return log.seen


def no_input_requires_grad(torch):
    layer, log = _linear(torch), _Log()
    layer.register_full_backward_hook(log.hook("full"))
    y = layer(_input(torch, False))
    told = warned(lambda: y.sum().backward())
    return log.seen, told, layer.weight.grad


def no_input_requires_grad_and_replaced(torch):
    layer = _linear(torch)
    layer.register_full_backward_hook(lambda module, ins, outs: (torch.ones(2, 2),))
    y = layer(_input(torch, False))
    return outcome(lambda: y.sum().backward())


def none_in_place_of_other_inputs(torch):
    class Scaled(torch.nn.Module):
        def forward(self, x, number, *, offset):
            return x * number + offset, "kept", x - 1

    log, x = _Log(), _input(torch)
    module = Scaled()
    module.register_full_backward_hook(log.hook("full"))
    first, word, second = module(x, 3.0, offset=torch.ones(2))
    (first.sum() + second.sum() * 2).backward()
    return log.seen, word, x.grad


def one_of_two_outputs_used(torch):
    class Two(torch.nn.Module):
        def forward(self, x):
            return x * 2, x * 3

    log, x = _Log(), _input(torch)
    module = Two()
    module.register_full_backward_hook(log.hook("full"))
    module(x)[1].sum().backward()
    return log.seen, x.grad


def wrong_number_of_gradients(torch):
    def run(register, result):
        layer = _linear(torch)
        getattr(layer, register)(lambda *_: result)
        return outcome(lambda: layer(_input(torch)).sum().backward())

    ones = torch.ones(2, 2)
    return [
        run("register_full_backward_hook", (ones, ones)),
        run("register_full_backward_pre_hook", ()),
    ]


def outputs_that_are_no_tensors(torch):
    class Named(torch.nn.Module):
        def forward(self, x):
            return {"y": x * 2}

    module, log, x = Named(), _Log(), _input(torch)
    module.register_full_backward_hook(log.hook("full"))
    told = warned(lambda: module(x)["y"].sum().backward())
    return told, log.seen, x.grad


def outputs_are_views_not_to_be_changed(torch):
    layer = _linear(torch)
    layer.register_full_backward_hook(lambda *_: None)
    y = layer(_input(torch))
    return [outcome(lambda: y.add_(1)), y._is_view()]


def inputs_are_views_not_to_be_changed(torch):
    class Changing(torch.nn.Module):
        def forward(self, x):
            return x.mul_(2)

    module = Changing()
    module.register_full_backward_hook(lambda *_: None)
    return outcome(lambda: module(_input(torch) * 1))


def without_grad_mode(torch):
    layer, log = _linear(torch), _Log()
    layer.register_full_backward_hook(log.hook("full"))
    with torch.no_grad():
        y = layer(_input(torch))
    return y.grad_fn, y.requires_grad, log.seen


def two_kinds_on_one_module(torch):
    full, old = _linear(torch), _linear(torch)
    full.register_full_backward_hook(lambda *_: None)
    old.register_backward_hook(lambda *_: None)
    return [
        outcome(lambda: full.register_backward_hook(lambda *_: None)),
        outcome(lambda: old.register_full_backward_hook(lambda *_: None)),
    ]


def old_hook(torch):
    module, log, x = torch.nn.Tanh(), _Log(), _input(torch)
    module.register_backward_hook(log.hook("old", lambda ins, outs: (ins[0] * 2,)))
    told = warned(lambda: module(x).sum().backward())
    return log.seen, told, x.grad


def old_hook_warns(torch):
    class Module(torch.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function = function
            self.register_backward_hook(lambda *_: None)

        def forward(self, *args):
            return self.function(*args)

    x = _input(torch) * 1
    return [
        warned(lambda: Module(lambda x: x.exp().sin())(x)),
        warned(lambda: Module(lambda x: (x.exp(), x.sin()))(x)),
        warned(lambda: Module(lambda x: [x.exp()])(x)),
        warned(lambda: Module(lambda x: {"y": x.exp()})(x)),
        warned(lambda: Module(lambda x, n: x * n)(x, 3)),
        warned(lambda: Module(lambda x: x.exp())(x)),
    ]


def double_backward(torch):
    module, log, x = torch.nn.Tanh(), _Log(), _input(torch)
    module.register_full_backward_hook(log.hook("full"))
    (grad,) = torch.autograd.grad(module(x).sum(), x, create_graph=True)
    grad.sum().backward()
    return len(log.seen), x.grad


def gradients_through_autograd_grad(torch):
    module, log, x = torch.nn.Sigmoid(), _Log(), _input(torch)
    module.register_full_backward_hook(log.hook("full"))
    y = module(x)
    first = torch.autograd.grad(y.sum(), x, retain_graph=True)
    second = torch.autograd.grad(y.sum() * 2, x)
    return first, second, log.seen


def together_with_forward_hooks(torch):
    module, log, x = torch.nn.ReLU(), _Log(), _input(torch)
    order = []
    module.register_forward_pre_hook(lambda m, args: (order.append("before"), (args[0] * 2,))[1])
    module.register_forward_hook(lambda m, args, out: (order.append("after"), out * 3)[1])
    module.register_full_backward_hook(log.hook("full"))
    y = module(x)
    y.sum().backward()
    return order, y, x.grad, log.seen


def hooks_on_all_modules(torch):
    everywhere = torch.nn.modules.module
    log, order, x = _Log(), [], _input(torch)
    model = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU())
    model[0].register_full_backward_hook(log.hook("own"))
    handles = [
        everywhere.register_module_forward_pre_hook(lambda m, args: order.append("before")),
        everywhere.register_module_forward_hook(lambda m, args, out: order.append("after")),
        everywhere.register_module_full_backward_pre_hook(log.hook("pre")),
        everywhere.register_module_full_backward_hook(log.hook("full")),
    ]
    try:
        model(x).sum().backward()
        mixed = outcome(lambda: everywhere.register_module_backward_hook(lambda *_: None))
    finally:
        for handle in handles:
            handle.remove()
    model(x)
    return [[name, kind] for name, kind, _ in [each[:3] for each in log.seen]], order, mixed


def failing_hooks_that_are_always_called(torch):
    class Failing(torch.nn.Module):
        def forward(self, x):
            raise ValueError("no")

    def fails(*_):
        raise RuntimeError("hook")

    module, seen = Failing(), []
    module.register_forward_hook(fails, always_call=True)
    module.register_forward_hook(
        lambda m, args, kwargs, out: seen.append([kwargs, out]),
        with_kwargs=True,
        always_call=True,
    )
    told = warned(lambda: seen.append(outcome(lambda: module(x=1))))
    return seen, told


def old_backward_hooks(torch):
    class Applied(torch.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.forward = function

    def said(function):
        module = Applied(function)
        module.register_backward_hook(lambda module, taken, given: None)
        return warned(lambda: module(torch.ones(2, requires_grad=True)))

    return [
        said(lambda x: x.detach()),
        said(lambda x: [x * 2]),
        said(lambda x: {"a": x * 2}),
        said(lambda x: ([x * 2], x * 3)),
        said(lambda x: (x.detach(), x * 2)),
    ]


def hooks_that_change_sizes(torch):
    return shown(
        torch,
        """
        m, x = torch.nn.Linear(2, 2), torch.ones(1, 2, requires_grad=True)
        h = m.register_full_backward_hook(lambda *_: (torch.ones(3),))
        m(x).sum().backward()
        h.remove()
        h = m.register_full_backward_pre_hook(lambda *_: (torch.ones(3),))
        m(x).sum().backward()
        """,
    )


def old_hooks_have_names(torch):
    model, x = torch.nn.Flatten(), torch.ones(1, 2, requires_grad=True)

    def doubling(module, taken, given):
        return taken * 2

    model.register_backward_hook(doubling)
    return outcome(lambda: model(x).sum().backward())
