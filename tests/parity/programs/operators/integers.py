"""Whole numbers and truth values: shifts, bits, and results that wrap around."""

from tests.parity.expressions import lines, observed


def arithmetic_and_bits(torch):
    return observed(
        torch,
        lines("""
        i << 1
        i << i
        2 << i
        2 >> i
        i >> 1
        u >> 1
        x << 1
        x >> 1
        x << x
        b << 1
        torch.bitwise_left_shift(i, 1)
        torch.bitwise_left_shift(1, i)
        i.bitwise_left_shift(1)
        1 & i
        1 | i
        3 ^ i
        True & b
        True | b
        False ^ b
        1 & x
        x & 1
        x & x
        x | 1
        x ^ x
        ~x
        x.bitwise_not()
        torch.bitwise_not(x)
        b ** b
        b // b
        b % b
        b.fmod(b)
        b ** 2
        2 ** b
        b // True
        b % True
        b / b
        b - b
        b - True
        torch.tensor(200, dtype=torch.uint8) + torch.tensor(100, dtype=torch.uint8)
        torch.tensor(200, dtype=torch.uint8) * 2
        -torch.tensor(200, dtype=torch.uint8)
        torch.tensor(100, dtype=torch.int8) + torch.tensor(100, dtype=torch.int8)
        torch.tensor(200, dtype=torch.uint8) + 300
    """),
    )
