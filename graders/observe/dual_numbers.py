"""Scenarios for a class of dual numbers: `dual(value, tangent)`.

As with all scenarios, each function is sent to the isolated worker by itself, and holds no answers.
"""

from __future__ import annotations

from typing import Any

from graders.observe.lab import Lab


def one_operation(dual: Any, lab: Lab) -> None:
    """Do each operation with fresh duals x and y, and record both parts of the result."""

    def is_dual(result: Any) -> bool:
        return hasattr(result, "value") and hasattr(result, "tangent")

    def computes(expression: str, operands: dict[str, Any]) -> bool:
        try:
            return is_dual(eval(expression, dict(operands)))
        except Exception:
            return False

    def halves(operands: dict[str, Any]) -> list[tuple[float, float]]:
        return [(float(each.value), float(each.tangent)) for each in operands.values()]

    for each in lab.cases():
        x, dx, y, dy = each.arguments().values()
        operands = {"x": dual(x, dx), "y": dual(y, dy)}
        before = halves(operands)
        endless, failed = False, ""
        result: Any = None
        try:
            result = eval(each.name, dict(operands))
        except RecursionError:
            endless = True
        except (TypeError, AttributeError):
            # If one operand is a plain number, find out what fails: this side, numbers, or all.
            if not any(part[0].isdigit() for part in each.name.split()):
                raise
            left, sign, right = each.name.split()
            others = f"{right} {sign} {left}", f"x {sign} y"
            without = [other for other in others if computes(other, operands)]
            failed = f"an error, but none for {without[0]}" if without else "an error"
        each.record("it calls itself without end", endless)
        told = "a Dual with value and tangent" if is_dual(result) else each.kind_of(result)
        if not endless:
            each.record("result", failed or told)
        if is_dual(result):
            each.record("value", result.value)
            each.record("tangent", result.tangent)
        each.record("x and y stay as they are", halves(operands) == before)


def whole_formulas(dual: Any, lab: Lab) -> None:
    """Are results themselves duals that can be computed with, so that long formulas work?"""
    x, dx, y, dy = (lab.value(name) for name in ("x", "tangent of x", "y", "tangent of y"))
    formulas = {
        "the document's function": lambda a, b: (a * b).log() * (a * b).sin(),
        "a sum of products": lambda a, b: a * b + a * a,
        "a list summed up by Python": lambda a, b: sum([a, b]),
    }
    for name, formula in formulas.items():
        try:
            result = formula(dual(x, dx), dual(-y, dy))
            found = hasattr(result, "value") and hasattr(result, "tangent")
            told = "a Dual with value and tangent" if found else lab.kind_of(result)
        except (TypeError, AttributeError, RecursionError) as error:
            told = lab.kind_of(error)
        lab.record(f"{name}: result", told)
