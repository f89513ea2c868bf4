"""Hooks on tensors: which of them run, when, and what becomes of what they return."""

import copy
import importlib
from functools import partial

from tests.parity.harness import outcome, warned


def _leaf(torch, n=2):
    return torch.ones(n, requires_grad=True)


def _noting(seen, name):
    return lambda g: seen.append([name, None if g is None else g.tolist()])


def a_hook_stays_with_the_value_and_the_retained_gradient_moves(torch):
    seen = []
    y = _leaf(torch) * 2
    y.register_hook(_noting(seen, "old"))
    had_hooks = y._backward_hooks is not None
    y.retain_grad()
    y.add_(1)
    has_hooks = y._backward_hooks is not None
    y.register_hook(_noting(seen, "new"))
    (y * 3).sum().backward()
    return [had_hooks, has_hooks, seen, y.grad]


def hooks_on_view_and_base_when_the_view_is_changed(torch):
    seen = []
    x = _leaf(torch)
    y = x * 2
    v = y[0]
    for name, tensor in (("view", v), ("base", y)):
        tensor.register_hook(_noting(seen, f"{name} before"))
        tensor.retain_grad()
    v.mul_(3)
    gone = [v._backward_hooks is None, y._backward_hooks is None]
    for name, tensor in (("view", v), ("base", y)):
        tensor.register_hook(_noting(seen, f"{name} after"))
    (y.sum() + v * 10).backward()
    return [gone, seen, v.grad, y.grad, x.grad]


def a_hook_survives_detaching_in_place(torch):
    seen = []
    y = _leaf(torch) * 2
    y.register_hook(_noting(seen, "y"))
    y.detach_()
    y.requires_grad_()
    y.sum().backward()
    return [seen, y.grad]


def hooks_may_come_after_the_graph(torch):
    seen = []
    x = _leaf(torch)
    y = x * 2
    z = y.sum()
    x.register_hook(_noting(seen, "leaf"))
    y.register_hook(_noting(seen, "intermediate"))
    z.backward()
    return seen


def the_same_hook_twice_runs_twice(torch):
    seen = []
    hook = _noting(seen, "x")
    x = _leaf(torch)
    first = x.register_hook(hook)
    x.register_hook(hook)
    x.sum().backward()
    first.remove()
    x.sum().backward()
    return seen


def hooks_that_remove_and_add_hooks(torch):
    seen, handles = [], []
    y = _leaf(torch) * 2

    def removes(which, name):
        def hook(g):
            seen.append(name)
            handles[which].remove()

        return hook

    handles.append(y.register_hook(removes(0, "removes itself")))
    handles.append(y.register_hook(removes(2, "removes the third")))
    handles.append(y.register_hook(lambda g: seen.append("third")))
    y.register_hook(lambda g: bool(y.register_hook(lambda g: seen.append("added"))) and None)
    y.sum().backward(retain_graph=True)
    seen.append("again")
    y.sum().backward()
    return seen


def hooks_are_named_in_errors(torch):
    class Widens:
        def __call__(self, g):
            return torch.ones(3)

    def widen(g, *_):
        return torch.ones(3)

    results = []
    for hook in (Widens(), partial(widen), widen, Widens().__call__, lambda: None, 3):
        y = _leaf(torch) * 2
        y.register_hook(hook)
        results.append(outcome(y.sum().backward))
    return results


def hooks_see_the_absence_of_a_gradient(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, first, second):
            return first

    seen = []
    first, second = Two.apply(_leaf(torch))
    for name, tensor in (("first", first), ("second", second)):
        tensor.register_hook(_noting(seen, name))
        tensor.retain_grad()
    first.sum().backward(retain_graph=True)
    kept = [first.grad, second.grad]
    second.register_hook(lambda g: torch.ones(2))
    return [seen, kept, outcome(lambda: first.sum().backward(retain_graph=True))]


def a_captured_gradient_is_the_hooks_result_where_the_walk_ends(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    z = y * 3
    at_end = torch.autograd.grad(z, y, retain_graph=True)
    on_the_way = torch.autograd.grad(z, [y, x], retain_graph=True)
    x.register_hook(lambda g: g + 0.5)
    return [at_end, on_the_way, torch.autograd.grad(z, [x, y])]


def hooks_in_a_backward_for_some_inputs(torch):
    seen = []
    x, w = _leaf(torch), _leaf(torch)
    y = x * 2
    for name, tensor in (("x", x), ("w", w), ("y", y)):
        tensor.register_hook(_noting(seen, name))
    z = (y * w).sum()
    z.backward(inputs=[w], retain_graph=True)
    seen.append("then y")
    z.backward(inputs=[y], retain_graph=True)
    return [seen, x.grad, w.grad, y.grad, y.retains_grad]


def retained_gradients_come_after_all_hooks_and_before_prehooks(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 1
    y.retain_grad()
    seen = []
    y.register_hook(lambda g: seen.append(y.grad) or g * 2)
    y.grad_fn.register_prehook(lambda gs: seen.append(y.grad.clone()) or (gs[0] * 100,))
    y.register_hook(lambda g: g * 5)
    (y * 1).backward()
    return [seen, y.grad, x.grad]


def hooks_of_two_tensors_that_are_one_output(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g

    seen = []
    y = Keeps.apply(_leaf(torch))
    (again,) = y.grad_fn.saved_tensors
    y.register_hook(_noting(seen, "y"))
    again.register_hook(_noting(seen, "again"))
    y.sum().backward()
    return seen


def handles_have_ids_and_outlive_their_tensor(torch):
    y = _leaf(torch) * 2
    first = y.register_hook(lambda g: None)
    second = y.register_hook(lambda g: None)
    del y
    first.remove()
    return [second.id - first.id, isinstance(first, torch.utils.hooks.RemovableHandle)]


def a_hook_that_changes_the_gradient_in_place(torch):
    x = _leaf(torch)
    y = x * 2
    y.register_hook(lambda g: g.mul_(3))
    expanded = outcome(y.sum().backward)
    y.backward(torch.ones_like(y))
    return [expanded, x.grad]


def hooks_under_create_graph(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.register_hook(lambda g: g * x)
    (first,) = torch.autograd.grad(y * 1, x, create_graph=True)
    return [first, torch.autograd.grad(first, x)]


def a_hook_on_a_leaf_that_no_longer_requires_grad(torch):
    seen = []
    x = _leaf(torch)
    x.register_hook(_noting(seen, "x"))
    y = (x * 2).sum()
    x.requires_grad_(False)
    y.backward()
    return [seen, x.grad]


def copied_with_its_hooks_a_handle_belongs_to_the_copy(torch):
    from collections import OrderedDict
    from copy import deepcopy

    hooks = OrderedDict()
    handle = torch.utils.hooks.RemovableHandle(hooks)
    hooks[handle.id] = "hook"
    copied_hooks, copied = deepcopy([hooks, handle])
    copied.remove()
    return [list(hooks.values()), list(copied_hooks.values()), copied.id == handle.id]


def hooks_on_a_view_whose_base_was_changed_since(torch):
    seen = []
    base = _leaf(torch) * 1
    view = base.view(2)
    view.register_hook(_noting(seen, "before"))
    view.retain_grad()
    base.mul_(2)
    state = [view._backward_hooks is None, view.retains_grad]
    # The view has not noticed yet: its new hook goes with the old ones.
    view.register_hook(_noting(seen, "unnoticed"))
    view.sum().backward(retain_graph=True)
    view.register_hook(_noting(seen, "after"))
    view.sum().backward()
    return [state, seen, view.grad]


def hooks_on_a_view_of_a_leaf_changed_without_recording(torch):
    seen = []
    x = _leaf(torch)
    y = x.view(2)
    y.register_hook(_noting(seen, "before"))
    with torch.no_grad():
        x.add_(1)
    y.register_hook(_noting(seen, "after"))
    y.sum().backward()
    return [seen, x.grad]


def retaining_survives_detaching_in_place(torch):
    y = _leaf(torch) * 2
    y.retain_grad()
    y.detach_()
    before = y.retains_grad
    y.requires_grad_()
    y.sum().backward()
    return [before, y.retains_grad, y.grad]


def hooks_are_not_copied(torch):
    """Copies go without, and a warning says so, unless the hook is marked."""
    hooks = importlib.import_module(f"{torch.__name__}.utils.hooks")

    @hooks.unserializable_hook
    def marked(grad):
        return grad * 2

    counted = []
    for hook in (marked, torch.neg):
        x = torch.ones(2, requires_grad=True)
        x.register_hook(hook)
        counted.append(len(warned(lambda x=x: copy.copy(x))))
    return counted
