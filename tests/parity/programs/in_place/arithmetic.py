"""Arithmetic in place: operands, broadcasting, casts, scaled forms, Python's operators."""

from tests.parity.changes import changed

OPERATORS = ["add", "sub", "mul", "div", "pow"]
OPERANDS = ["2", "2.5", "True", "w", "c", "s", "t", "k", "z", "n", "h", "d", "i", "j", "u", "b"]
ALSO = ["torch.tensor(2)", "torch.tensor(2.0, dtype=torch.float64)", "y", "'a'", "None", "[1.0]"]


def _of(operator, operands=OPERANDS):
    return [f"y.{operator}_({operand})" for operand in operands]


def sums(torch):
    return changed(torch, "p * 1", _of("add", OPERANDS + ALSO))


def differences(torch):
    return changed(torch, "p * 1", _of("sub", OPERANDS + ALSO))


def products(torch):
    return changed(torch, "p * 1", _of("mul", OPERANDS + ALSO))


def quotients(torch):
    return changed(torch, "p * 1", _of("div", OPERANDS + ALSO))


def powers(torch):
    exponents = [
        "2",
        "2.5",
        "True",
        "k",
        "z",
        "i",
        "j",
        "b",
        "0",
        "-1",
        "0.5",
        "torch.tensor(2)",
        "y",
    ]
    return changed(torch, "p * 1", _of("pow", exponents))


def of_integers(torch):
    return {each: changed(torch, "i + 0", _of(each)) for each in OPERATORS[:4]}


def of_small_integers(torch):
    return {each: changed(torch, "u + 0", _of(each)) for each in OPERATORS[:4]}


def of_truth_values(torch):
    return {each: changed(torch, "b.clone()", _of(each)) for each in OPERATORS[:4]}


def of_halves(torch):
    operands = ["2", "2.5", "w", "d", "i"]
    return {each: changed(torch, "h.abs() * 1", _of(each, operands)) for each in OPERATORS[:4]}


def of_doubles(torch):
    operands = ["2", "2.5", "w", "s", "h", "i"]
    return {each: changed(torch, "d.abs() * 1", _of(each, operands)) for each in OPERATORS}


def of_a_number(torch):
    operands = ["2", "2.5", "w", "s", "d", "i", "torch.ones(1)", "torch.ones(1, 1)", "y"]
    return {each: changed(torch, "s * 1", _of(each, operands)) for each in OPERATORS[:4]}


def of_an_empty_tensor(torch):
    return {each: changed(torch, "z * 1", _of(each, ["2", "w", "s", "z"])) for each in OPERATORS}


def of_views(torch):
    return {
        made: {
            each: changed(torch, made, _of(each, ["2", "s", "s.expand(2)"]))
            for each in OPERATORS[:4]
        }
        for made in ("(p * 1)[:, 1]", "(p * 1).t()[0]", "(p * 1).view(3, 2)[1]")
    }


def scaled_sums(torch):
    return changed(torch, "x * 1", [
        "y.add_(w, alpha=3)", "y.add_(w, alpha=2.5)", "y.add_(2, alpha=3)", "y.sub_(w, alpha=3)",
        "y.sub_(w, alpha=0.5)", "y.sub_(2, alpha=3)", "y.add_(i, alpha=2)", "y.add_(i, alpha=0.5)",
        "y.add_(other=w)", "y.add_(y, alpha=2)", "y.sub_(y, alpha=2)", "y.add_(b, alpha=True)",
        "y.add_(w, alpha=True)", "y.mul_(w, alpha=2)", "y.sub_(other=w, alpha=2)",
    ])  # fmt: skip


def scaled_sums_of_integers(torch):
    return changed(torch, "i + 0", [
        "y.add_(i, alpha=2)", "y.add_(i, alpha=0.5)", "y.add_(w, alpha=2)", "y.sub_(i, alpha=2)",
        "y.sub_(3, alpha=2)", "y.add_(b, alpha=True)", "y.sub_(b)", "y.add_(2.0)",
    ])  # fmt: skip


def quotients_rounded(torch):
    return {
        made: changed(torch, made, [
            "y.div_(0.75, rounding_mode='floor')", "y.div_(0.75, rounding_mode='trunc')",
            "y.div_(w, rounding_mode='floor')", "y.div_(w, rounding_mode='trunc')",
            "y.div_(2, rounding_mode='floor')", "y.div_(2, rounding_mode='trunc')",
            "y.div_(2, rounding_mode=None)", "y.div_(2, rounding_mode='up')",
            "y.remainder_(2)", "y.remainder_(w)",
            "y.fmod_(2)", "y.fmod_(w)", "y %= 2", "y %= w", "y.divide_(2)",
            "y.true_divide_(2)", "y.multiply_(2)", "y.subtract_(2)",
        ])
        for made in ("x * 1", "i + 0")
    }  # fmt: skip


def operators_of_python(torch):
    return changed(torch, "p * 1", [
        "y += 2", "y += w", "y -= w", "y -= 2.5", "y *= w", "y *= y", "y /= w", "y /= 2", "y **= 2",
        "y %= 2", "y @= q", "y @= torch.ones(3, 3)", "y &= b", "y |= b",
        "y ^= b", "y += k", "y += 'a'", "y *= None", "y -= [1]",
        "y += d", "y **= -1", "y **= 'a'", "y //= 'a'", "y %= None", "y /= [1.0]",
    ])  # fmt: skip


def operators_of_python_on_integers(torch):
    return changed(torch, "i + 0", [
        "y += 2", "y += 2.0", "y -= i", "y *= 3", "y /= 2", "y **= 2", "y **= -1",
        "y //= 0.5", "y %= 4", "y &= 3", "y |= i", "y ^= 1", "y &= 0.5", "y &= w", "y += True",
        "y += w",
    ])  # fmt: skip


def operators_of_python_on_truth_values(torch):
    return changed(torch, "b.clone()", [
        "y += True", "y += 1", "y -= True", "y -= b", "y *= b", "y &= True", "y |= ~b", "y ^= b",
        "y &= 1", "y /= 2",
    ])  # fmt: skip


def the_left_side_need_not_be_the_result(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = before = x * 1
    y @= torch.ones(2, 2)
    z = same = x * 1
    z **= 2
    number = 3.0
    number *= x
    return [y is before, y, z is same, z, number]


def sums_of_products(torch):
    return changed(torch, "x * 1", [
        "y.addcmul_(w, c)", "y.addcmul_(w, c, value=2)", "y.addcmul_(w, c, value=0.5)",
        "y.addcdiv_(w, c)", "y.addcdiv_(w, c, value=2)", "y.addcmul_(k, w)", "y.addcmul_(i, i)",
        "y.addcdiv_(i, i + 9)", "y.lerp_(t, 0.25)", "y.lerp_(t, w)", "y.lerp_(t, 1)",
        "y.lerp_(k, 0.5)", "y.addmm_(t.detach(), t[:, :2].detach())",
         "y.addcmul_(d, d)", "y.lerp_(d, 0.5)",
    ])  # fmt: skip


def sums_of_matrix_products(torch):
    return changed(torch, "x * 1", [
        "y.addmm_(x[:, :2], x)",

    ])  # fmt: skip


def comparisons(torch):
    return {
        made: changed(torch, made, [
            "y.eq_(2)", "y.ne_(w)", "y.lt_(w)", "y.le_(0.5)", "y.gt_(s)", "y.ge_(y)", "y.eq_(k)",
            "y.logical_not_()", "y.logical_and_(b)", "y.logical_or_(w)", "y.logical_xor_(b)",
            "y.bitwise_and_(i)",   "y.greater_(1)", "y.less_(1)",
        ])
        for made in ("x * 1",)
    }  # fmt: skip


def on_what_is_never_written(torch):
    return changed(torch, "x.detach()[0:0]", ["y.add_(1)", "y.mul_(w)", "y.exp_()", "y.zero_()"])
