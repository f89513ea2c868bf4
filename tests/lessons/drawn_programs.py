"""Programs drawn at random: what learners do with tensors, in any order."""

from hypothesis import strategies as st

import autograd_core as torch

UNARY = ("neg", "sin", "exp", "tanh", "square", "detach", "clone", "view", "sum")
BINARY = ("add", "mul", "sub", "where_grad_is_off", "inplace_add", "inplace_mul", "optimiser_like")
ENDS = ("backward", "backward_retain", "grad", "nothing")

steps = st.lists(
    st.tuples(st.sampled_from(UNARY + BINARY), st.integers(0, 50), st.integers(0, 50)),
    min_size=1,
    max_size=14,
)
programs = st.tuples(
    st.sampled_from([(), (3,), (2, 2)]),
    steps,
    st.lists(st.sampled_from(ENDS), min_size=1, max_size=3),
)


def leaves_of(shape):
    """Two leaves and a constant of one shape."""
    numbers = torch.arange(1, 1 + max(1, torch.Size(shape).numel())).reshape(shape)
    x = (numbers * 0.25).requires_grad_()
    w = (0.5 - numbers * 0.125).requires_grad_()
    return x, w, numbers * 0.1


def run(program, tensors):
    """Run a drawn program; what PyTorch would refuse is refused, and the program goes on."""
    _, steps, ends = program
    pool = list(tensors)
    for name, one, other in steps:
        a, b = pool[one % len(pool)], pool[other % len(pool)]
        try:
            pool.append(apply(name, a, b))
        except RuntimeError:
            continue
    results = [each for each in pool if each.grad_fn is not None]
    for end in ends if results else ():
        z = results[-1].sum()
        try:
            if end.startswith("backward"):
                z.backward(retain_graph=end == "backward_retain")
            elif end == "grad":
                torch.autograd.grad(z, tensors[:2], retain_graph=True, allow_unused=True)
        except RuntimeError:
            continue
    return results


def apply(name, a, b):
    """Compute one step of a program."""
    match name:
        case "view":
            return a.reshape(-1)[0]
        case "sum":
            return a.sum()
        case "detach" | "clone" | "neg" | "sin" | "exp" | "tanh" | "square":
            return getattr(a, name)()
        case "add" | "mul" | "sub":
            return getattr(a, name)(b)
        case "where_grad_is_off":
            with torch.no_grad():
                return a * b
        case "inplace_add":
            return a.add_(b)
        case "inplace_mul":
            return a.mul_(0.5)
        case _:
            with torch.no_grad():
                return a.sub_(0.125)
