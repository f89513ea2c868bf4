"""Functions of one operand, over dtypes, shapes and argument forms."""

from tests.parity.expressions import lines, observed

SMOOTH = [
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid", "erf", "reciprocal", "square",
]  # fmt: skip
STEPS = ["sign", "floor", "ceil", "round", "trunc", "abs", "neg", "relu"]
OPERANDS = ["x", "p", "s", "z", "n", "h", "d", "i", "u", "b", "nan"]


def exponentials_and_their_like(torch):
    return observed(torch, [f"torch.{f}({a})" for f in SMOOTH[:10] for a in OPERANDS])


def trigonometry_and_their_like(torch):
    cases = [f"torch.{f}({a})" for f in SMOOTH[10:] for a in OPERANDS]
    # The gradient of tanh at 1.5 magnifies the last digit of tanh itself.
    cases.remove("torch.tanh(d)")
    return observed(torch, cases)


def functions_with_steps(torch):
    return observed(torch, [f"torch.{f}({a})" for f in STEPS for a in OPERANDS])


def methods(torch):
    return observed(torch, [f"p.{f}()" for f in SMOOTH + STEPS])


def dtypes_of_many_numbers(torch):
    many = torch.full((1500,), 0.5)
    return [
        str(getattr(many.to(kind), f)().dtype) for f in SMOOTH for kind in (many.dtype, torch.half)
    ]


def other_names(torch):
    return observed(
        torch,
        lines("""
        torch.absolute(x)
        torch.negative(x)
        torch.positive(x)
        torch.positive(b)
        x.absolute()
        x.negative()
        torch.arctan(x)
        torch.arcsin(x / 4)
        torch.arccos(x / 4)
        torch.fix(x)
        torch.exp(input=x)
        torch.neg(input=x)
        torch.isnan(nan)
        torch.isinf(nan)
        torch.isfinite(nan)
        torch.isfinite(i)
        torch.logical_not(x)
        torch.logical_not(i)
        +x
        -x
        abs(x)
        ~b
        ~i
        ~x
        -b
        x.round(decimals=1)
        torch.round(x, decimals=1)
        i.round()
    """),
    )


def clamps(torch):
    return observed(
        torch,
        lines("""
        x.clamp(-1, 1)
        x.clamp(min=0)
        x.clamp(max=0.5)
        x.clamp(0.0, None)
        torch.clamp(x, min=-0.5, max=0.5)
        torch.clip(x, -0.5, 0.5)
        torch.clamp(x, 1, -1)
        torch.clamp(i, 0, 4)
        torch.clamp(i, 0.5, 4)
        torch.clamp(u, 1, 5)
        torch.clamp(h, -0.5, 0.5)
        torch.clamp(x, w)
        torch.clamp(x, min=w, max=w + 1)
        torch.clamp(x, max=w)
        torch.clamp(x)
        x.clamp_min(0.25)
        x.clamp_max(0.25)
        torch.clamp_min(x, 0.25)
        torch.clamp_max(x, 0.25)
        torch.clamp(t, 2, 2)
        torch.clamp(z, 0, 1)
        torch.clamp(s, 0, 1)
        torch.clamp(nan, -1, 1)
        x.clamp(nan[0], nan[0])
    """),
    )


def activations(torch):
    return observed(torch, lines("""
        F.relu(x)
        F.tanh(x)
        F.sigmoid(x)
        F.leaky_relu(x)
        F.leaky_relu(x, 0.2)
        F.leaky_relu(x, negative_slope=0.5)
        F.elu(x)
        F.elu(x, 0.5)
        F.silu(x)
        F.gelu(p.detach())
        F.gelu(p * 2, approximate='tanh')
        F.gelu(x, approximate='other')
        F.softplus(x)
        F.softplus(x, 2, 1)
        F.logsigmoid(x)
        F.relu6(x * 4)
        F.hardtanh(x)
        F.softsign(x)
        F.elu(i)
        F.silu(i)
        F.gelu(i)
        F.leaky_relu(i)
        F.softplus(i)
        F.relu(b)
        F.relu(h)
        F.gelu(h)
        F.silu(h)
        F.gelu(d)
        F.elu(d)
        F.softplus(d)
        F.silu(s)
        F.gelu(z)
    """))  # fmt: skip
