"""utils.checkpoint: the same gradients from intermediates that are computed again."""

import importlib
from contextlib import nullcontext
from functools import partial

from tests.parity.harness import outcome, plain


def _checkpoint(torch):
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint


def _gradient(torch, reentrant, **options):
    """The gradient through a checkpointed function, and in which modes it was run."""
    modes = []

    def function(x, y):
        modes.append(torch.is_grad_enabled())
        return (x * y).exp().sin()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([0.5, 0.25], requires_grad=True)
    z = _checkpoint(torch)(function, x * 1, y, use_reentrant=reentrant, **options)
    before = list(modes)
    z.sum().backward()
    return [z, x.grad, y.grad, before, modes]


def intermediates_are_computed_again(torch):
    return _gradient(torch, False)


def a_backward_inside_backward(torch):
    return _gradient(torch, True)


def the_variant_has_to_be_named(torch):
    return _gradient(torch, None)


def without_early_stop(torch):
    return _gradient(torch, False, early_stop=False)


def settings_by_name(torch):
    setting, runs = torch.utils.checkpoint, []
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def function(x):
        result = x.exp()
        runs.append(len(runs))
        return result

    with (
        setting.set_checkpoint_early_stop(enable=False),
        setting.set_checkpoint_debug_enabled(enabled=None),
    ):
        result = _checkpoint(torch)(function, x, use_reentrant=False)
    result.sum().backward()
    return [runs, x.grad]


def grad_and_inputs(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    checkpoint = _checkpoint(torch)

    def value(reentrant):
        return checkpoint(lambda x: x.exp().sin(), x * 1, use_reentrant=reentrant).sum()

    return [
        outcome(lambda: torch.autograd.grad(value(False), x)),
        outcome(lambda: torch.autograd.grad(value(True), x)),
        outcome(lambda: value(True).backward(inputs=[x])),
    ]


def nothing_requires_grad(torch):
    x = torch.tensor([1.0, 2.0])
    checkpoint = _checkpoint(torch)
    return [checkpoint(lambda x: x.exp(), x, use_reentrant=each) for each in (False, True)]


def under_no_grad(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    checkpoint = _checkpoint(torch)
    with torch.no_grad():
        return [checkpoint(lambda x: x.exp(), x, use_reentrant=each) for each in (False, True)]


def several_outputs_and_other_arguments(torch):
    checkpoint = _checkpoint(torch)
    found = []
    for reentrant in (False, True):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y, n = checkpoint(lambda x, k, s: (x**k, s), x, 3, "s", use_reentrant=reentrant)
        y.sum().backward()
        found += [y, n, x.grad]
    return found


def keywords_go_to_the_function(torch):
    checkpoint = _checkpoint(torch)
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def scaled(x, k=1):
        return x.exp() * k

    return [
        outcome(lambda: checkpoint(scaled, x, k=3, use_reentrant=False)),
        outcome(lambda: checkpoint(scaled, x, k=3, use_reentrant=True)),
        outcome(lambda: checkpoint(scaled, x, use_reentrant=True, debug=True)),
        outcome(lambda: checkpoint(scaled, x, use_reentrant=False, determinism_check="x")),
    ]


def contexts_and_debugging(torch):
    module = importlib.import_module(f"{torch.__name__}.utils.checkpoint")
    options = {"use_reentrant": False, "context_fn": lambda: (nullcontext(), nullcontext())}
    x, found = torch.tensor([1.0, 2.0], requires_grad=True), []
    for enabled in (True, False, None):
        with module.set_checkpoint_debug_enabled(enabled):
            for debug in (True, False):
                run = partial(module.checkpoint, torch.exp, x, debug=debug, **options)
                found.append(outcome(run))
    return found


def weights_from_outside(torch):
    checkpoint = _checkpoint(torch)
    found = []
    for reentrant in (False, True):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        weight = torch.tensor(3.0, requires_grad=True)
        checkpoint(lambda x, w=weight: (x * w).exp(), x, use_reentrant=reentrant).sum().backward()
        found += [x.grad, weight.grad]
    return found


def the_graph_is_kept(torch):
    checkpoint = _checkpoint(torch)
    runs = []

    def function(x):
        runs.append(1)
        return x.exp().sin()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = checkpoint(function, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    y.backward()
    return [x.grad, len(runs)]


def in_the_middle_of_a_chain(torch):
    checkpoint = _checkpoint(torch)
    found = []
    for reentrant in (False, True):
        x = torch.tensor(0.5, requires_grad=True)
        y = x.sin()
        for _ in range(3):
            y = checkpoint(lambda y: (y * y).cos(), y, use_reentrant=reentrant)
        (y * 2).backward()
        found.append(x.grad)
    return found


def chains_in_segments(torch):
    module = importlib.import_module(f"{torch.__name__}.utils.checkpoint")
    functions = [torch.sin, torch.exp, torch.cos, torch.tanh, torch.exp]
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    y = module.checkpoint_sequential(functions, 2, x, use_reentrant=False)
    y.sum().backward()
    return [y, x.grad]


def whether_they_stop_early_is_told_from_outside(torch):
    module = torch.utils.checkpoint

    def steps(told, given):
        seen = []

        def function(x):
            y = x.exp()
            seen.append("exp")
            z = y.sin()
            seen.append("sin")
            return z + 1

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with module.set_checkpoint_early_stop(told):
            y = module.checkpoint(function, x, use_reentrant=False, early_stop=given)
        y.sum().backward()
        return seen, x.grad

    return [steps(told, given) for told in (None, False, True) for given in (False, True)]


def an_argument_changed_since_is_noticed(torch):
    seen = []
    for use_reentrant in (False, True):
        x = torch.full((3,), 2.0, requires_grad=True)
        given = x * 1
        y = _checkpoint(torch)(torch.exp, given, use_reentrant=use_reentrant)
        with torch.no_grad():
            given.add_(1)
        seen.append([outcome(lambda y=y: y.sum().backward()), x.grad])
    return seen


def hooks_around_a_checkpoint_pack_its_arguments(torch):
    x, packed = torch.full((3,), 2.0, requires_grad=True), []

    def pack(tensor):
        packed.append(plain(tensor))
        return tensor * 2

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = _checkpoint(torch)(lambda a, n, b: a.sin() * n * b, x, 3, x * 5, use_reentrant=False)
    y.sum().backward()
    return [packed, x.grad]


def of_a_chain_in_unusual_numbers_of_segments(torch):
    checkpoint_sequential = torch.utils.checkpoint.checkpoint_sequential

    def gradient(segments):
        x = torch.ones(2, requires_grad=True)
        chain = [lambda x: x * 2, lambda x: x * x, lambda x: x + 1]
        checkpoint_sequential(chain, segments, x, use_reentrant=False).sum().backward()
        return x.grad

    found = [outcome(partial(gradient, segments)) for segments in (-1, 1, 2, 3, 4)]
    # In words that differ from one version of Python to the next.
    return [*found, outcome(partial(gradient, 0))["raises"]]
