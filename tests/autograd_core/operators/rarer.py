"""Operators that are asked for less often."""

import autograd_core as torch

from .draws import GRID, INDEX, MASK, WEIGHT, positive, signed

loss = torch.nn.functional


def both(results):
    """Two results of an operator in one."""
    return results[0] + 2 * results[1]


RARER = {
    "hypot": (torch.hypot, [signed(2, 3), signed(3)]),
    "fmax": (torch.fmax, [signed(2, 3), signed(3) * 0.9]),
    "fmin": (torch.fmin, [signed(2, 3), signed(3) * 0.9]),
    "xlogy": (torch.xlogy, [signed(2, 3), positive(3)]),
    "xlogy number": (lambda x: torch.xlogy(x, 3.0), [signed(3)]),
    "xlogy of number": (lambda x: torch.xlogy(3.0, x), [positive(3)]),
    "cummax": (lambda x: x.cummax(1)[0], [signed(2, 3)]),
    "cummin": (lambda x: x.cummin(0)[0], [signed(3, 2)]),
    "cummax of a number": (lambda x: x.cummax(0)[0] * x, [signed()]),
    "aminmax": (lambda x: both(torch.aminmax(x)), [signed(2, 3)]),
    "aminmax dim": (lambda x: both(x.aminmax(dim=1, keepdim=True)), [signed(2, 3)]),
    "inner": (torch.inner, [signed(2, 3), positive(2, 3)]),
    "baddbmm": (
        lambda b, x, y: torch.baddbmm(b, x, y, beta=2, alpha=3),
        [signed(2), signed(2, 2, 3), positive(2, 3, 2)],
    ),
    "cross": (lambda x, y: torch.cross(x, y, dim=1), [signed(2, 3), positive(2, 3)]),
    "kron": (torch.kron, [signed(2, 3), positive(2)]),
    "masked_scatter": (lambda x, y: x.masked_scatter(MASK, y), [signed(2, 3), positive(2, 3)]),
    "index_put": (lambda x, y: x.index_put((INDEX[1:],), y), [signed(3, 2), positive(2, 2)]),
    "index_put accumulate": (
        lambda x, y: x.index_put((INDEX,), y, accumulate=True) * x,
        [signed(3, 2), positive(3, 2)],
    ),
    "put": (lambda x, y: x.put(INDEX[1:], y), [signed(2, 3), positive(2)]),
    "put accumulate": (lambda x, y: x.put(INDEX, y, True), [signed(2, 3), positive(3)]),
    "index_fill tensor": (
        lambda x, y: x.index_fill(1, INDEX[:1], y),
        [signed(2, 3), signed()],
    ),
    "clamp_min tensor": (lambda x, y: x.clamp_min(y), [signed(2, 3), signed(3) * 0.9]),
    "clamp_max tensor": (lambda x, y: x.clamp_max(y), [signed(2, 3), signed(3) * 0.9]),
    "adjoint": (torch.adjoint, [signed(2, 3)]),
}
RARER |= {
    "layer_norm": (
        lambda x, w, b: loss.layer_norm(x, (3,), w, b),
        [signed(2, 3), signed(3), positive(3)],
    ),
    "batch_norm": (
        lambda x, w, b: loss.batch_norm(x, None, None, w, b, training=True),
        [signed(4, 2), signed(2), positive(2)],
    ),
    "batch_norm by running": (
        lambda x, w: loss.batch_norm(x, WEIGHT, WEIGHT * 2, w),
        [signed(2, 3), signed(3)],
    ),
    "embedding": (lambda w: loss.embedding(INDEX, w), [signed(3, 2)]),
    "pad": (lambda x: loss.pad(x, (1, -1, 0, 2), value=2.0), [signed(2, 3)]),
    "normalize": (loss.normalize, [signed(2, 3)]),
    "cosine_similarity": (loss.cosine_similarity, [signed(2, 3), positive(2, 3)]),
}
RARER |= {
    f"scatter_reduce {how}": (
        lambda x, y, how=how: x.scatter_reduce(0, GRID, y, how),
        [signed(2, 3), positive(2, 3) * 0.9],
    )
    for how in ("sum", "mean", "prod", "amax", "amin")
}
RARER["scatter_reduce mean of the new"] = (
    lambda x, y: x.scatter_reduce(0, GRID, y, "mean", include_self=False),
    [signed(2, 3), positive(2, 3)],
)
