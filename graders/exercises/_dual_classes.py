"""Classes of dual numbers, right and wrong: the solutions of `graph-dual`."""

from __future__ import annotations

import numpy as np


class Dual:
    def __init__(self, value, tangent):
        self.value = value
        self.tangent = tangent

    def __add__(self, other):
        if not isinstance(other, Dual):
            return Dual(self.value + other, self.tangent)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        if not isinstance(other, Dual):
            return Dual(self.value * other, self.tangent * other)
        return Dual(
            self.value * other.value, self.tangent * other.value + self.value * other.tangent
        )

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def log(self):
        from math import log

        return Dual(log(self.value), self.tangent / self.value)

    def sin(self):
        from math import cos, sin

        return Dual(sin(self.value), self.tangent * cos(self.value))


class Lifting:
    """Numbers become duals; NumPy's functions; the class is asked for by `type`."""

    def __init__(self, value: float, tangent: float = 0.0) -> None:
        self.value, self.tangent = value, tangent

    @classmethod
    def lift(cls, other):
        return other if hasattr(other, "tangent") else cls(other)

    def __add__(self, other):
        other = self.lift(other)
        return type(self)(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = self.lift(other)
        tangent = self.value * other.tangent + other.value * self.tangent
        return type(self)(self.value * other.value, tangent)

    __radd__, __rmul__ = __add__, __mul__

    def log(self):
        return type(self)(np.log(self.value), 1 / self.value * self.tangent)

    def sin(self):
        print("sin of", self.value)
        return type(self)(np.sin(self.value), np.cos(self.value) * self.tangent)


class ATuple(tuple):
    def __new__(cls, a, b):
        return tuple.__new__(cls, (a, b))

    value = property(lambda self: self[0])
    tangent = property(lambda self: self[1])

    def __add__(self, other):
        try:
            return ATuple(self[0] + other[0], self[1] + other[1])
        except TypeError:
            return ATuple(self[0] + other, self[1])

    def __mul__(self, other):
        if isinstance(other, int | float):
            return ATuple(self[0] * other, self[1] * other)
        return ATuple(self[0] * other[0], self[0] * other[1] + self[1] * other[0])

    __radd__ = __add__
    __rmul__ = __mul__

    def log(self):
        return ATuple(np.log(self[0]), self[1] / self[0])

    def sin(self):
        return ATuple(np.sin(self[0]), np.cos(self[0]) * self[1])


class Richer(Lifting):
    def __neg__(self):
        return self * -1

    def __repr__(self):
        return f"{self.value} (moves by {self.tangent})"


class WithSlots(Dual):
    __slots__ = ("tangent", "value")
    __radd__ = Dual.__add__
    __rmul__ = Dual.__mul__


class AnotherProductRule(Dual):
    def __mul__(self, other):
        if not isinstance(other, Dual):
            return super().__mul__(other)
        return Dual(self.value * other.value, self.rule(other))


class ProductOfTangents(AnotherProductRule):
    def rule(self, other):
        return self.tangent * other.tangent


class FirstHalfOfTheProductRule(AnotherProductRule):
    def rule(self, other):
        return self.tangent * other.value


class SecondHalfOfTheProductRule(AnotherProductRule):
    def rule(self, other):
        return self.value * other.tangent


class OwnFactors(AnotherProductRule):
    def rule(self, other):
        return self.value * self.tangent + other.value * other.tangent


class TangentsSubtracted(AnotherProductRule):
    def rule(self, other):
        return self.tangent * other.value - self.value * other.tangent


class TangentsAdded(AnotherProductRule):
    def rule(self, other):
        return self.tangent + other.tangent


class TangentsAddedAlways(Dual):
    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other, 0)
        return Dual(self.value * other.value, self.tangent + other.tangent)


class LogWithoutTheTangent(Dual):
    def log(self):
        return Dual(super().log().value, 1 / self.value)


class SinWithoutTheTangent(Dual):
    def sin(self):
        from math import cos

        return Dual(super().sin().value, cos(self.value))


class LogWithoutItsSlope(Dual):
    def log(self):
        return Dual(super().log().value, self.tangent)


class SinWithoutItsSlope(Dual):
    def sin(self):
        return Dual(super().sin().value, self.tangent)


class LogAndSinOfTheTangent(Dual):
    def log(self):
        from math import log

        return Dual(log(self.value), log(self.tangent))

    def sin(self):
        from math import sin

        return Dual(sin(self.value), sin(self.tangent))


class ConstantsMove(Dual):
    def __add__(self, other):
        return super().__add__(other if isinstance(other, Dual) else Dual(other, 1.0))

    def __mul__(self, other):
        return super().__mul__(other if isinstance(other, Dual) else Dual(other, 1.0))


class NumberAddedToBoth(Dual):
    def __add__(self, other):
        if isinstance(other, Dual):
            return super().__add__(other)
        return Dual(self.value + other, self.tangent + other)


class NumberStopsASum(Dual):
    def __add__(self, other):
        if isinstance(other, Dual):
            return super().__add__(other)
        return Dual(self.value + other, 0)


class NumberStopsAProduct(Dual):
    def __mul__(self, other):
        if isinstance(other, Dual):
            return super().__mul__(other)
        return Dual(self.value * other, 0)


class NumberScalesTheValueOnly(Dual):
    def __mul__(self, other):
        if isinstance(other, Dual):
            return super().__mul__(other)
        return Dual(self.value * other, self.tangent)


class NoNumbers(Dual):
    def __add__(self, other):
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        return super().__mul__(Dual(other.value, other.tangent))


class NumbersYetToCome(NoNumbers):
    def __radd__(self, other): ...

    def __rmul__(self, other): ...


class NoNumberLeftOfPlus(Dual):
    def __radd__(self, other):
        return NotImplemented


class NoNumberLeftOfTimes(Dual):
    def __rmul__(self, other):
        return NotImplemented
