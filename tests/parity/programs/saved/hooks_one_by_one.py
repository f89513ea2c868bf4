"""Hooks on one saved tensor, set when it has been saved already."""

from tests.parity.harness import outcome


def _leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def what_they_are_given(torch):
    functions = {
        "_raw_saved_result": (lambda x: x.relu(), lambda x: x.sqrt()),
        "_raw_saved_self": (lambda x: x * x, lambda x: x**3),
    }
    results = []
    for name, those in functions.items():
        for function in those:
            for changed in (False, True):
                leaf, seen = _leaf(torch), []
                x = leaf * 1
                y = function(x)
                if changed:
                    # From now on nobody asks for the version.
                    torch.autograd.graph.increment_version([x, y])

                def pack(tensor, seen=seen, others=(x, y)):
                    same = [tensor is each for each in others]
                    places = [tensor.data_ptr() == each.data_ptr() for each in others]
                    seen.append([tensor, tensor._version, same, places])
                    return tensor

                getattr(y.grad_fn, name).register_hooks(pack, lambda tensor: tensor)
                results.append([name, seen, outcome(y.sum().backward), leaf.grad])
    return results


def on_what_is_none_and_what_was_freed(torch):
    x = _leaf(torch)
    y, z = x * 3, x * x
    none, kept = y.grad_fn._raw_saved_self, z.grad_fn._raw_saved_self
    before = outcome(lambda: none.register_hooks(print, print))
    (y + z).sum().backward()
    return [
        before,
        outcome(lambda: none.register_hooks(print, print)),
        outcome(lambda: kept.register_hooks(print, print)),
    ]


def a_saved_none_shows_that_it_is_none(torch):
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(None, x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    y = Nothing.apply(_leaf(torch))
    nothing, _ = y.grad_fn._raw_saved_tensors
    return [nothing.data, nothing.unpack_hook, nothing.unpack()]


def what_save_on_cpu_makes(torch):
    x = _leaf(torch)
    with torch.autograd.graph.save_on_cpu():
        square = x * x
        power = square.exp()
    raws = square.grad_fn._raw_saved_self, power.grad_fn._raw_saved_result
    addresses = [each.data[1].data_ptr() for each in raws]
    return [
        [[str(device), kept.detach()] for device, kept in (each.data for each in raws)],
        addresses == [x.data_ptr(), power.data_ptr()],
        power.grad_fn._saved_result,
        torch.autograd.grad(power.sum(), x),
    ]


def what_cannot_require_grad(torch):
    seen, hooks = [], torch.autograd.graph.saved_tensors_hooks
    for kind in (torch.int64, torch.bool, torch.float64):
        for of_leaf in (True, False):
            x = _leaf(torch)
            given = x if of_leaf else x * 1
            with hooks(lambda tensor: tensor, lambda kept, kind=kind: kept.to(kind)):
                y = given * given
            seen.append(outcome(lambda: torch.autograd.grad(y.sum(), x)))  # noqa: B023
    return seen


def hooks_that_cannot_be_called(torch):
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
