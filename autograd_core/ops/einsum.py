"""`einsum`: sums of products, described by letters for dimensions."""

from __future__ import annotations

from typing import Any

from autograd_core.messages import check_argument
from autograd_core.ops.dims import count_over
from autograd_core.ops.shape import all_tensors
from autograd_core.tensor import Tensor

_ELLIPSIS = "..."
# In the order of the numbers that lists may have instead. The module `string` has them too, but
# takes longer to load than the operators here.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOO_FEW = (
    "einsum(): must specify the equation string and at least one operand, or at least one operand "
    "and its subscripts list"
)


def einsum(*args: Any) -> Tensor:
    """Return the sum of products that an equation describes: `einsum("ij,jk->ik", x, y)`.

    A letter twice in a term takes the diagonal; `...` stands for all other dimensions, broadcast.
    Numbers may stand for letters, in a list behind each operand: `einsum(x, [0, 1], y, [1, 2])`.
    Raises PyTorch's RuntimeError for what does not fit.
    """
    if len(args) < 2:
        raise ValueError(_TOO_FEW)
    equation, *operands = _from_lists(*args) if isinstance(args[0], Tensor) else args
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = list(operands[0])
    check_argument("einsum", "equation", equation, str, 1)
    all_tensors(operands, 1)
    _check_letters(equation)
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        which = "more" if len(terms) < len(operands) else "fewer"
        raise RuntimeError(
            f"einsum(): {which} operands were provided than specified in the equation"
        )
    # Each dimension under the ellipsis gets a name that is no letter: its number from the right.
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
    _check_lengths(spelled, operands)
    order = wanted + [each for each in under + letters if each not in wanted]
    aligned = [_aligned(*each, order) for each in zip(operands, spelled, strict=True)]
    return _contracted(aligned, len(wanted))


def _contracted(operands: list[Tensor], kept: int) -> Tensor:
    """Return the product of operands of one rank, broadcast, summed over all dims from `kept`."""
    product, *others = operands
    dims = range(kept, product.dim())
    if not others:
        return product.sum(tuple(dims)) if dims else product
    # For each dimension, how many of the remaining operands have a length other than 1.
    left = {dim: [each.shape[dim] != 1 for each in operands].count(True) for dim in dims}
    for other in others:
        met = []
        for dim in dims:
            if product.shape[dim] != 1 and other.shape[dim] != 1:
                left[dim] -= 1
                if left[dim] == 1:
                    met.append(dim)
        stretched = [dim for dim in dims if (product.shape[dim], other.shape[dim]) != (1, 1)]
        alone = [dim for dim in stretched if left[dim] == 1 and dim not in met]
        product, other = [_summed_where(each, alone) for each in (product, other)]
        left |= dict.fromkeys((*met, *alone), 0)
        product = _product(product, other, met)
    return product.view(product.shape[:kept]) if dims else product


def _summed_where(x: Tensor, dims: list[int]) -> Tensor:
    stretched = [dim for dim in dims if x.shape[dim] != 1]
    return x.sum(stretched, True) if stretched else x


def _product(x: Tensor, y: Tensor, summed: list[int]) -> Tensor:
    """Return x * y summed over dims that both have, kept at length 1: as a product of matrices."""
    if not summed:
        return x * y
    rest = [dim for dim in range(x.dim()) if dim not in summed]
    both = [dim for dim in rest if x.shape[dim] != 1 and y.shape[dim] != 1]
    of_x = [dim for dim in rest if x.shape[dim] != 1 and dim not in both]
    of_y = [dim for dim in rest if dim not in both and dim not in of_x]
    if of_x and of_y and of_x[0] > of_y[-1]:
        # So that the result has its dimensions in their order in memory.
        return _product(y, x, summed)
    batch, middle = count_over(x, both), count_over(x, summed)
    left = x.permute([*both, *of_x, *summed, *of_y]).reshape(batch, count_over(x, of_x), middle)
    right = y.permute([*both, *summed, *of_y, *of_x]).reshape(batch, middle, count_over(y, of_y))
    lengths = [*[x.shape[dim] for dim in both + of_x], *[1] * len(summed)]
    lengths += [y.shape[dim] for dim in of_y]
    places = [*both, *of_x, *summed, *of_y]
    return left.bmm(right).view(lengths).permute([places.index(dim) for dim in range(x.dim())])


def _from_lists(*given: Any) -> tuple[Any, ...]:
    """Return equation and operands of a call with lists of numbers instead of letters."""
    lists = ["".join(map(_letter, each)) for each in given[1::2]]
    output = "->" + "".join(map(_letter, given[-1])) if len(given) % 2 else ""
    return ",".join(lists) + output, *given[: len(lists) * 2 : 2]


def _letter(number: Any) -> str:
    if number is Ellipsis:
        return _ELLIPSIS
    if not 0 <= number < len(_LETTERS):
        raise ValueError(
            "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        )
    return _LETTERS[number]


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


def _check_letters(equation: str) -> None:
    """Raise PyTorch's RuntimeError for characters that mean nothing in an equation."""
    operand = 0
    rest = equation.replace("->", "  ").replace(_ELLIPSIS, "   ")
    for place, sign in enumerate(rest):
        if sign == ".":
            in_output = "->" in equation[:place]
            where, tail = ("output", " (...)") if in_output else (f"operand {operand}", "")
            raise RuntimeError(
                f"einsum(): found '.' for {where} that is not part of any ellipsis{tail}"
            )
        operand += sign == ","
        if sign not in _LETTERS and sign not in " ,":
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {place} in the equation string, "
                "subscripts must be in [a-zA-Z]"
            )


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


def _check_lengths(spelled: list[list[str]], operands: list[Tensor]) -> None:
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


def _aligned(operand: Tensor, names: list[str], order: list[str]) -> Tensor:
    """Return `operand` with a dimension for every name of `order`, some of length 1."""
    names = list(names)
    for name in dict.fromkeys(names):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            operand = operand.diagonal(0, first, second).movedim(-1, first)
            del names[second]
    for name in order:
        if name not in names:
            operand, names = operand.unsqueeze(operand.dim()), [*names, name]
    return operand.permute([names.index(name) for name in order])
