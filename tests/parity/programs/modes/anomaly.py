"""Anomaly mode: a failing backward names the line of the forward that it comes from."""

import warnings

from tests.parity.harness import outcome

_HERE = "modes/anomaly.py"


def _diagnosis(call):
    """What `call` raised, and its warnings: introductions, and the lines of this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = outcome(call)
    return [result, [_shortened(str(entry.message)) for entry in caught]]


def _shortened(message):
    message = message.partition(" (Triggered internally at")[0]
    shortened, ours = [], True
    for line in message.splitlines():
        if line.startswith('  File "'):
            ours = _HERE in line
        elif ours and line.strip(" ^~") and "_diagnosis(" not in line and "outcome(" not in line:
            shortened.append(line.strip())
        elif not line.startswith(" "):
            shortened.append(line)
    return [line for line in shortened if "return plain(call())" not in line]


def _leaf(torch, *values):
    return torch.tensor(values or (-1.0, 2.0), requires_grad=True)


def _fails(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("from backward")

    return Fails


def a_nan_names_its_function(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _leaf(torch).sqrt()
            y.sum().backward()

    return _diagnosis(program)


def a_nan_of_the_second_input(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            x, y = _leaf(torch, 1.0, 0.0), _leaf(torch, 0.0, 0.0)
            z = y / x
            z.sum().backward()

    return _diagnosis(program)


def a_nan_of_a_custom_function(torch):
    class Nan(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * float("nan")

    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = Nan.apply(_leaf(torch))
            y.sum().backward()

    return _diagnosis(program)


def nan_may_be_allowed(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True, check_nan=False):
            x = _leaf(torch)
            x.sqrt().sum().backward()
            return x.grad

    return _diagnosis(program)


def a_nan_that_a_hook_brings_in(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _leaf(torch, 1.0, 2.0).sqrt()
            y.register_hook(lambda g: g * float("nan"))
            y.sum().backward()

    return _diagnosis(program)


def a_nan_in_the_first_gradient(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _leaf(torch) * 1
            y.backward(torch.tensor([float("nan"), 1.0]))

    return _diagnosis(program)


def a_nan_that_goes_nowhere(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            x, y = _leaf(torch, 0.0, 2.0), _leaf(torch, 0.0, 1.0)
            (grad,) = torch.autograd.grad(torch.xlogy(x, y).sum(), x)
            (torch.xlogy(x, y) * y).sum().backward(inputs=[x])
            return [grad, x.grad]

    return _diagnosis(program)


def infinity_is_no_nan(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            x = _leaf(torch, 0.0, 4.0)
            x.sqrt().sum().backward()
            return x.grad

    return _diagnosis(program)


def entering_warns(torch):
    def program():
        with torch.autograd.detect_anomaly():
            return [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]

    return [_diagnosis(program), torch.is_anomaly_enabled()]


def the_mode_is_set_and_restored(torch):
    def mode():
        return [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]

    set_mode = torch.autograd.set_detect_anomaly
    seen = [mode()]
    set_mode(True)
    seen.append(mode())
    with set_mode(False):
        seen.append(mode())
        with set_mode(True, check_nan=False):
            seen.append(mode())
        seen.append(mode())
    seen.append(mode())
    set_mode(False)
    with torch.autograd.detect_anomaly(check_nan=False):
        seen.append(mode())
    seen.append(mode())
    return seen


def an_error_names_the_forward_line(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _fails(torch).apply(_leaf(torch))
            y.sum().backward()

    return _diagnosis(program)


def a_forward_outside_the_mode_is_not_known(torch):
    def program():
        y = _fails(torch).apply(_leaf(torch))
        with torch.autograd.set_detect_anomaly(True):
            y.sum().backward()

    return _diagnosis(program)


def a_hook_that_fails(torch):
    def fail(g):
        raise ValueError("from the hook")

    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _leaf(torch) * 3
            y.register_hook(fail)
            y.sum().backward()

    return _diagnosis(program)


def a_change_in_place(torch):
    def program():
        with torch.autograd.set_detect_anomaly(True):
            y = _leaf(torch) * 1
            z = y * y
            y.add_(1)
            z.sum().backward()

    return _diagnosis(program)


def a_change_in_place_found_outside_the_forward(torch):
    def program():
        y = _leaf(torch) * 1
        z = y * y
        y.add_(1)
        with torch.autograd.set_detect_anomaly(True):
            z.sum().backward()

    return _diagnosis(program)


def a_second_backward_names_what_induced_it(torch):
    fails = _fails(torch)

    class Outer(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return fails.apply(g)

    def program():
        with torch.autograd.set_detect_anomaly(True):
            x = _leaf(torch)
            y = Outer.apply(x * x)
            (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            g.sum().backward()

    return _diagnosis(program)


def nodes_remember_only_in_the_mode(torch):
    x = _leaf(torch)
    before = x * 2
    with torch.autograd.set_detect_anomaly(True):
        inside = x * 2
        base = x * 1
        base[:1].mul_(3)
    lines = inside.grad_fn.metadata["traceback_"]
    return [
        before.grad_fn.metadata,
        list(inside.grad_fn.metadata),
        isinstance(lines, list),
        lines[-1].splitlines()[-1].strip(),
        base.grad_fn.metadata["traceback_"][-1].splitlines()[-1].strip(),
    ]


def nodes_of_a_backward_have_a_parent(torch):
    with torch.autograd.set_detect_anomaly(True):
        x = _leaf(torch)
        y = x.sin()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return [g.grad_fn.metadata["parent_"] is y.grad_fn, list(y.grad_fn.metadata)]


def a_node_of_before_the_mode_induced_the_one_that_fails(torch):
    x, w = _leaf(torch), _leaf(torch)

    def inside(grad):
        with torch.enable_grad():
            _fails(torch).apply(w).sum().backward()

    y = x * 2
    y.register_hook(inside)

    def program():
        with torch.autograd.set_detect_anomaly(True):
            y.sum().backward()

    return _diagnosis(program)


def the_engine_is_usable_after_a_nan(torch):
    x = _leaf(torch)

    def program():
        with torch.autograd.set_detect_anomaly(True):
            x.sqrt().sum().backward()

    failed = _diagnosis(program)[0]
    (x * 2).sum().backward()
    return [failed, x.grad, torch.is_grad_enabled(), torch.is_anomaly_enabled()]


def the_mode_is_a_bool(torch):
    set_mode = torch.autograd.set_detect_anomaly
    results = [outcome(lambda value=value: set_mode(value)) for value in ("yes", None, 1)]
    results.append(outcome(lambda: set_mode(True, check_nan=1)))
    return [results, torch.is_anomaly_enabled()]


def the_mode_can_be_set_by_a_function(torch):
    torch.set_anomaly_enabled(True, check_nan=False)
    inside = [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]
    torch.set_anomaly_enabled(False)
    return [inside, torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()]
