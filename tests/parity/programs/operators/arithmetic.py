"""Operators of two operands, over dtypes, shapes and argument forms."""

from tests.parity.expressions import lines, observed

PAIRS = [
    "x, w", "x, c", "c, w", "x, s", "s, x", "x, z[:0]", "z, w", "s, s", "n, x", "x, 2", "x, 0.5",
    "x, True", "i, 2", "i, 0.5", "i, i + 1", "i, x", "x, i", "j, i", "u, i", "u, j", "b, x", "b, i",
    "b, 2", "h, x", "h, d", "h, s", "h, i", "i, s", "d, x", "x, torch.zeros(2)", "x, k",
]  # fmt: skip


# Sums over broadcast dimensions whose last digit depends on their order; edges that PyTorch leaves
# out of a node that has no derivative; kernels that PyTorch has not for bool.
LEFT_OUT = {
    "torch.div(h, s)", "torch.pow(s, x)", "torch.atan2(h, s)", "torch.floor_divide(i, x)",
    "torch.floor_divide(x, i)", "torch.floor_divide(b, x)", "torch.floor_divide(h, i)",
    "torch.floor_divide(i, s)", "b ** b", "b // b", "b % b",
}  # fmt: skip


def _pairs(torch, *names):
    cases = [f"torch.{name}({pair})" for name in names for pair in PAIRS]
    return observed(torch, [case for case in cases if case not in LEFT_OUT])


def sums_and_differences(torch):
    return _pairs(torch, "add", "sub")


def products_and_quotients(torch):
    return _pairs(torch, "mul", "div")


def powers(torch):
    return _pairs(torch, "pow")


def extremes_and_angles(torch):
    return _pairs(torch, "maximum", "minimum", "atan2")


def rounded_quotients(torch):
    return _pairs(torch, "floor_divide", "remainder", "fmod")


def comparisons(torch):
    return _pairs(torch, "eq", "ne", "lt", "le", "gt", "ge")


def logic(torch):
    return _pairs(torch, "logical_and", "logical_or", "logical_xor")


def bits(torch):
    return _pairs(torch, "bitwise_and", "bitwise_or", "bitwise_xor")


def operators_of_python(torch):
    signs = ["+", "-", "*", "/", "**", "//", "%", "==", "<", "&", "|", "^"]
    operands = ["x {} 2", "2 {} x", "i {} 3", "3 {} i", "x {} w", "i {} 2.5", "2.5 {} i", "b {} b"]
    cases = [each.format(sign) for sign in signs for each in operands]
    return observed(torch, [case for case in cases if case not in LEFT_OUT])


def argument_forms(torch):
    return observed(
        torch,
        lines("""
        torch.add(x, w, alpha=2)
        torch.add(x, 2, alpha=3)
        torch.add(input=x, other=w)
        torch.add(i, 2, alpha=0.5)
        torch.add(i, i, alpha=2)
        torch.add(b, b)
        torch.add(b, b, alpha=True)
        x.add(w, alpha=-1)
        torch.sub(x, w, alpha=2)
        x.sub(2, alpha=3)
        torch.rsub(x, 2)
        torch.rsub(x, 2, alpha=3)
        torch.rsub(x, w)
        torch.rsub(w, x, alpha=0.1)
        torch.rsub(x, d, alpha=0.1)
        torch.rsub(h, 0.1, alpha=0.3)
        torch.rsub(b, True)
        torch.rsub(x, w).grad_fn._saved_alpha
        torch.subtract(x, w)
        torch.multiply(x, w)
        torch.divide(x, w)
        torch.true_divide(x, w)
        torch.div(x, w, rounding_mode='floor')
        torch.div(x, w, rounding_mode='trunc')
        torch.div(i, 2, rounding_mode='floor')
        torch.div(i, 2, rounding_mode='trunc')
        torch.div(i, 2.0, rounding_mode='trunc')
        torch.div(x, w, rounding_mode='up')
        x.div(2, rounding_mode='floor')
        torch.floor_divide(x, w)
        x.floor_divide(2)
        torch.remainder(x, 0.5)
        torch.fmod(x, 0.5)
        torch.pow(2, x)
        torch.pow(x, 0)
        torch.pow(o, 2)
        torch.pow(o, 1)
        torch.pow(o, 0.5)
        torch.pow(o, o)
        torch.pow(o, -1)
        torch.pow(i, -1)
        torch.pow(i, 2)
        torch.pow(i, i.abs())
        torch.pow(i, 0.5)
        torch.maximum(t, t)
        torch.max(x, w)
        torch.min(x, w)
        torch.maximum(x, 2)
        torch.multiply(x, 2)
        x / 0
        i / 0
        i // 0
        i % 0
        x // 0
        x.true_divide(2)
        x.mul(other=w)
        x + None
        x + 'a'
        torch.add(1, x)
        torch.mul(2, x)
        2 / i
        i // 2
        x.eq(x)
        x == None
        x != 'a'
        x < None
        torch.greater(x, w)
        torch.less(x, w)
        torch.greater_equal(x, w)
        torch.less_equal(x, w)
        torch.not_equal(x, w)
        torch.eq(i, 1.5)
        i << 1
        i >> 1
    """),
    )


def quotients_in_turn_and_whole_powers(torch):
    return observed(
        torch,
        lines("""
        x.__rtruediv__(w)
        x.__rtruediv__(torch.tensor(2.0))
        i.__rtruediv__(j)
        x.__rtruediv__(True)
        torch.tensor([2, 3]) ** torch.tensor([-1, 1])
        """),
    )
