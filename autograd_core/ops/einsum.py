"""`einsum`: sums of products, described by letters for dimensions."""

from __future__ import annotations

from itertools import chain
from typing import Any

from autograd_core.tensor import Tensor

_ELLIPSIS = "..."


def einsum(equation: str, *operands: Any) -> Tensor:
    """Return the sum of products that `equation` describes, such as `"ij,jk->ik"`.

    A letter twice in a term takes the diagonal; `...` stands for all other dimensions, broadcast.
    Raises PyTorch's RuntimeError for what does not fit.
    """
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = tuple(operands[0])
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(
            "einsum(): more operands were provided than specified in the equation"
            if len(terms) < len(operands)
            else "einsum(): fewer operands were provided than specified in the equation"
        )
    # Each dimension under the ellipsis gets a name that no letter has: its place from the right.
    spelled = [_spelled(i, *each) for i, each in enumerate(zip(terms, operands, strict=True))]
    hidden = max((len([n for n in names if n.isdigit()]) for names in spelled), default=0)
    under = [str(i) for i in reversed(range(hidden))]
    letters = sorted({name for names in spelled for name in names if not name.isdigit()})
    if arrow:
        before, dots, after = output.partition(_ELLIPSIS)
        wanted = [*before, *(under if dots else []), *after]
    else:
        wanted = [*under, *[each for each in letters if inputs.count(each) == 1]]
    _check_output(wanted, letters + under)
    lengths = _lengths(spelled, operands)
    order = wanted + [each for each in under + letters if each not in wanted]
    product: Any = None
    for place, (operand, names) in enumerate(zip(operands, spelled, strict=True)):
        done = set(names).difference(wanted, *spelled[place + 1 :])
        if done.intersection(chain(*spelled[:place])) and product.dtype is not operand.dtype:
            # PyTorch sums such products as those of matrices.
            raise RuntimeError(
                f"expected scalar type {product.dtype.title} but found {operand.dtype.title}"
            )
        aligned = _aligned(operand, names, order)
        product = aligned if product is None else product * aligned
    summed = tuple(range(len(wanted), len(order)))
    product = product.expand([lengths[each] for each in order])
    return product.sum(summed) if summed else product


def _spelled(position: int, term: str, operand: Tensor) -> list[str]:
    """Return a name for every dimension of `operand`."""
    before, dots, after = term.partition(_ELLIPSIS)
    named, rank = len(before) + len(after), operand.dim()
    if (dots and named > rank) or (not dots and named != rank):
        wrong, tail = (
            ("is more than", "") if dots else ("does not match", " and no ellipsis was given")
        )
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({named}) {wrong} the number of "
            f"dimensions ({rank}) for operand {position}{tail}"
        )
    return [*before, *[str(i) for i in reversed(range(rank - named))], *after]


def _check_output(wanted: list[str], known: list[str]) -> None:
    for name in wanted:
        if name not in known:
            raise RuntimeError(
                f"einsum(): output subscript {name} does not appear in the equation for any input "
                "operand"
            )
        if wanted.count(name) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {name} appears more than once in the output"
            )


def _lengths(spelled: list[list[str]], operands: tuple[Tensor, ...]) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for position, (names, operand) in enumerate(zip(spelled, operands, strict=True)):
        for name, length in zip(names, operand.shape, strict=True):
            seen = lengths.get(name, 1)
            if 1 not in (seen, length) and seen != length:
                raise RuntimeError(
                    f"einsum(): subscript {name} has size {length} for operand {position} which "
                    f"does not broadcast with previously seen size {seen}"
                )
            lengths[name] = length if seen == 1 else seen
    return lengths


def _aligned(operand: Tensor, names: list[str], order: list[str]) -> Tensor:
    """Return `operand` with a dimension for every name of `order`, some of length 1."""
    names = list(names)
    for name in dict.fromkeys(names):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            operand = operand.diagonal(0, first, second)
            names = [each for i, each in enumerate(names) if i not in (first, second)] + [name]
    present = [each for each in order if each in names]
    moved = operand.permute([names.index(each) for each in present])
    for place, name in enumerate(order):
        if name not in names:
            moved = moved.unsqueeze(place)
    return moved
