"""Saved-tensor hooks and operators in place: what is packed before the change."""

from tests.parity.harness import graph, outcome, state


def _leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


_OPERATORS = {
    "mul_": lambda x, w: x.mul_(w),
    "mul_ by a number": lambda x, w: x.mul_(3),
    "mul_ by itself": lambda x, w: x.mul_(x),
    "div_": lambda x, w: x.div_(w),
    "pow_": lambda x, w: x.pow_(2),
    "square root": lambda x, w: x.sqrt_(),
    "clamp_": lambda x, w: x.clamp_(0, 1.5),
    "addcmul_": lambda x, w: x.addcmul_(w, w),
    "addcdiv_": lambda x, w: x.addcdiv_(w, w),
    "of a view": lambda x, w: x[0].mul_(w[0]),
}


def hooks_see_what_was_there_before(torch):
    results = []
    for name, change in _OPERATORS.items():
        leaf, w = _leaf(torch), _leaf(torch) * 1
        x, seen = leaf * 1, []

        def pack(tensor, x=x, seen=seen):
            seen.append([tensor, tensor._version, state(x)])
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            change(x, w)
        results.append([name, seen, outcome(lambda x=x: x.sum().backward()), leaf.grad])
    return results


def a_hook_that_fails_leaves_all_as_it_was(torch):
    leaf, w = _leaf(torch), _leaf(torch) * 1
    x = leaf * 1

    def fail(tensor):
        raise ValueError("from the hook")

    def change():
        with torch.autograd.graph.saved_tensors_hooks(fail, fail):
            x.mul_(w)

    failed = outcome(change)
    return [failed, state(x), graph(x.grad_fn), outcome(lambda: x.sum().backward()), leaf.grad]
