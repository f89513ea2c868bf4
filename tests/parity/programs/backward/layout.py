"""Whether accumulated gradients have to lie in memory as their leaves do, and other settings."""

import threading

from tests.parity.harness import outcome, warned


def _accumulated(torch, compute):
    leaf = torch.ones(2, 3).t().requires_grad_()
    said = warned(lambda: compute(leaf))
    return [leaf.grad.stride(), said]


def _with_a_new_gradient(leaf):
    (leaf * 2).sum().backward()


def _into_a_gradient_of_another_layout(leaf):
    leaf.grad = leaf.detach().contiguous()
    (leaf * 2).sum().backward()


def _with_one_that_somebody_holds(leaf):
    leaf.backward(leaf.detach().contiguous())


def with_the_policy_and_without(torch):
    policy, seen = torch.autograd.enforce_grad_layout_policy, []
    for compute in (_with_a_new_gradient, _with_one_that_somebody_holds):
        seen.append(_accumulated(torch, compute))
        with policy(False):
            seen.append(_accumulated(torch, compute))
            with policy():
                seen.append(_accumulated(torch, compute))
            seen.append(_accumulated(torch, compute))
        seen.append(_accumulated(torch, compute))
    with policy(False):
        seen.append(_accumulated(torch, _into_a_gradient_of_another_layout))
    seen.append(_accumulated(torch, _into_a_gradient_of_another_layout))
    return seen


def the_policy_as_a_function_and_as_a_decorator(torch):
    policy, seen = torch.autograd.enforce_grad_layout_policy, []

    @policy(False)
    def decorated():
        return _accumulated(torch, _with_a_new_gradient)

    seen += [decorated(), _accumulated(torch, _with_a_new_gradient)]
    said = policy(False)
    seen += [said.mode, said.prev, _accumulated(torch, _with_a_new_gradient)]
    policy(True)
    return [*seen, outcome(lambda: policy("no")), outcome(lambda: policy(0))]


def the_policy_of_another_thread(torch):
    seen = []
    with torch.autograd.enforce_grad_layout_policy(False):
        thread = threading.Thread(
            target=lambda: seen.append(_accumulated(torch, _with_a_new_gradient))
        )
        thread.start()
        thread.join()
    return seen


def whether_several_threads_may_run_backward(torch):
    said, seen = torch.autograd.is_multithreading_enabled, []
    setting = torch.autograd.set_multithreading_enabled
    with setting(False) as entered:
        seen += [said(), entered]
    seen.append(said())
    kept = setting(False)
    seen += [said(), kept.mode, kept.prev]
    setting(True)
    return [*seen, said(), outcome(lambda: setting(1))]


def settings_of_streams(torch):
    graph = torch.autograd.graph
    return [
        outcome(lambda setting=setting, value=value: setting(value))
        for setting in (
            graph.set_warn_on_accumulate_grad_stream_mismatch,
            graph.set_override_stale_capture_stream,
        )
        for value in (True, False, 1, None)
    ]


def saved_tensors_are_not_made_by_hand(torch):
    x = torch.ones(2, requires_grad=True)
    kept = (x * x).grad_fn._raw_saved_self
    return [
        isinstance(kept, torch.autograd.SavedTensor),
        outcome(lambda: torch.autograd.SavedTensor()),
        outcome(lambda: type(kept)()),
    ]


def expanded_gradients_of_single_elements_are_copied(torch):
    seen = []
    for shape in ((1,), (1, 1), (1, 3), (3, 1), (2, 1, 3)):
        x = torch.ones(shape, requires_grad=True)
        x.sum().backward()
        seen.append((x.grad.stride(), x.grad._version))
        x.grad, arriving = None, torch.ones(()).expand(shape)
        x.backward(arriving)
        seen.append((x.grad.stride(), x.grad.data_ptr() == arriving.data_ptr()))
    return seen


def hooks_write_into_gradients(torch):
    """What a sum sends back is expanded, also on the other side of a view: it cannot be written."""
    ways = {
        "sum": lambda y: y.sum(),
        "t": lambda y: y.t().sum(),
        "transpose": lambda y: y.transpose(0, 1).sum(),
        "reshape": lambda y: y.t().reshape(-1).sum(),
        "contiguous": lambda y: y.t().contiguous().sum(),
        "row": lambda y: y[0].sum(),
        "product": lambda y: (y.t() * 2).sum(),
    }
    seen = {}
    for name, total in ways.items():
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 1
        y.register_hook(lambda g: (g.mul_(2), None)[1])
        seen[name] = [outcome(total(y).backward), x.grad]
    return seen
