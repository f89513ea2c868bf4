"""Accumulation into a gradient whose memory was exchanged for one of another shape or dtype."""

from ..harness import outcome


def of_another_shape_or_dtype(torch):
    def accumulated(other):
        leaf = torch.ones(3, requires_grad=True)
        leaf.grad = torch.zeros(3)
        leaf.grad.data = other
        leaf.sum().backward()
        return leaf.grad

    return [
        outcome(lambda: accumulated(torch.zeros(2))),
        outcome(lambda: accumulated(torch.zeros(1))),
        outcome(lambda: accumulated(torch.zeros(3, dtype=torch.float64))),
    ]
