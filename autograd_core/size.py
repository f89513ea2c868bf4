"""`Size`: a shape that prints as PyTorch's."""


class Size(tuple):
    """A tensor's shape: a tuple that prints as PyTorch's."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        result = 1
        for length in self:
            result *= length
        return result

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"
