"""Programs drawn at random: what learners do with tensors, in any order."""

from hypothesis import strategies as st

import autograd_core as torch
from autograd_core.autograd.graph import saved_tensors_hooks
from autograd_core.utils.checkpoint import checkpoint
from lessons.widgets.stepper.looking import maker_of

UNARY = ("neg", "sin", "exp", "tanh", "square", "detach", "clone", "view", "sum", "max", "part")
UNARY += ("view_in_place", "detach_", "own_function", "dirty", "hook", "retain", "inference")
UNARY += ("packed", "checkpoint", "masked")
BINARY = ("add", "mul", "sub", "where_grad_is_off", "inplace_add", "inplace_mul", "optimiser_like")
BINARY += ("stack", "two_outputs", "copy_")
ENDS = ("backward", "backward_retain", "backward_create", "backward_inputs", "grad", "nothing")


class Square(torch.autograd.Function):
    """A learner's own Function."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class Double(torch.autograd.Function):
    """One that changes its input."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


class SumAndProduct(torch.autograd.Function):
    """One with two outputs."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x + y, x * y

    @staticmethod
    def backward(ctx, to_sum, to_product):
        x, y = ctx.saved_tensors
        return to_sum + to_product * y, to_sum + to_product * x


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
        except (RuntimeError, IndexError):
            continue
    results = [each for each in pool if maker_of(each) is not None]
    for end in ends if results else ():
        z = results[-1].sum()
        try:
            if end == "backward_create":
                z.backward(create_graph=True)
            elif end == "backward_inputs":
                z.backward(inputs=[tensors[0]], retain_graph=True)
            elif end.startswith("backward"):
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
        case "max":
            return a.reshape(-1).max(0)[0]
        case "part":
            return a.reshape(-1).split(1)[0]
        case "view_in_place":
            return a.reshape(-1)[:1].mul_(3)
        case "own_function":
            return Square.apply(a)
        case "dirty":
            return Double.apply(a)
        case "hook":
            a.register_hook(lambda grad: grad * 2)
            return a
        case "retain":
            a.retain_grad()
            return a
        case "inference":
            with torch.inference_mode():
                return a * 2
        case "packed":
            with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
                return a.exp() * a
        case "checkpoint":
            return checkpoint(lambda x: (x * 2).sin() * x, a, use_reentrant=False)
        case "masked":
            return a[a > 0.3]
        case "stack":
            return torch.stack([a, b])
        case "two_outputs":
            return SumAndProduct.apply(a, b)[1]
        case "copy_":
            return a.copy_(b)
        case "detach" | "detach_" | "clone" | "neg" | "sin" | "exp" | "tanh" | "square":
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
