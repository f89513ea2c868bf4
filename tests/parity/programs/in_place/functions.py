"""Functions of one operand, in place, over dtypes and layouts."""

from tests.parity.changes import changed
from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome

SMOOTH = [
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid", "erf", "reciprocal", "square",
]  # fmt: skip
STEPS = ["sign", "floor", "ceil", "round", "trunc", "abs", "neg", "relu", "logical_not"]
MADE = {
    "row by row": "p * 1",
    "a number": "s * 1",
    "empty": "z * 1",
    "halves": "h.abs() * 1",
    "doubles": "d.abs() * 0.5",
    "integers": "i + 0",
    "truth values": "b.clone()",
}


def _calls(names):
    return [f"y.{name}_()" for name in names]


def exponentials_and_their_like(torch):
    return {name: changed(torch, made, _calls(SMOOTH[:10])) for name, made in MADE.items()}


def trigonometry_and_their_like(torch):
    return {name: changed(torch, made, _calls(SMOOTH[10:])) for name, made in MADE.items()}


def functions_with_steps(torch):
    return {name: changed(torch, made, _calls(STEPS)) for name, made in MADE.items()}


def other_names(torch):
    names = ["negative", "absolute", "fix", "arcsin", "arctan", "clip"]
    arguments = ["", "", "", "", "", "-1, 1"]
    calls = [f"y.{name}_({given})" for name, given in zip(names, arguments, strict=True)]
    return changed(torch, "x / 4", calls)


def of_a_transposed_tensor(torch):
    return changed(torch, "(p * 1).t()", _calls(SMOOTH + STEPS))


def of_a_column(torch):
    return changed(torch, "(p * 1)[:, 1]", _calls(SMOOTH + STEPS))


def of_an_expanded_tensor(torch):
    return changed(torch, "(s * 1).expand(3)", _calls(["exp", "neg", "zero", "relu"]))


def by_functions_of_the_package(torch):
    calls = [
        f"torch.{name}_(y)" for name in SMOOTH + STEPS if name != "sign" and name != "logical_not"
    ]
    return changed(torch, "p * 1", calls)


def rounding_to_decimals(torch):
    return changed(torch, "x * 1.234", ["y.round_(decimals=1)", "y.round_(decimals=0)"])


def bounds(torch):
    return changed(torch, "x * 1", [
        "y.clamp_(-1, 1)", "y.clamp_(min=0)", "y.clamp_(max=0.5)", "y.clamp_(0.0, None)",
        "y.clamp_(w, None)", "y.clamp_(min=w, max=w + 1)", "y.clamp_(max=w)", "y.clamp_()",
        "y.clamp_min_(0.25)", "y.clamp_max_(0.25)",
        "torch.clamp_(y, -1, 1)", "torch.clamp_min_(y, 0.5)", "y.clip_(-1, 1)", "y.clamp_(k)",
        "y.clamp_(d)", "y.clamp_(h)", "y.clamp_(i)", "y.clamp_(1, -1)", "y.clamp_(y, None)",
    ])  # fmt: skip


def bounds_of_integers(torch):
    return changed(torch, "i + 0", [
        "y.clamp_(0, 4)", "y.clamp_(0.5, 4)", "y.clamp_(min=torch.tensor(1))", "y.clamp_(w)",
        "y.clamp_max_(2)", "y.clamp_min_(0.5)",
    ])  # fmt: skip


def running_sums_in_other_dtypes(torch):
    seen = [
        changed(
            torch,
            f"{name} + 0",
            [
                "y.cumsum_(0)",
                "y.cumsum_(0, dtype=torch.float64)",
                "y.cumprod_(0, dtype=y.dtype)",
                "y.cumprod_(-1, dtype=torch.int64)",
                "y.cumsum_(3, dtype=torch.float16)",
                "y.cumsum_(0, dtype=torch.bool)",
            ],
        )
        for name in "xi"
    ]
    truths = torch.Tensor.cumsum_, torch.Tensor.cumprod_
    return seen + [outcome(lambda run=run: run(torch.ones(2) > 0, 0)) for run in truths]


def of_two_operands(torch):
    return observed(
        torch,
        lines("""
        (x * 1).masked_scatter_(b, p)
        (x * 1).masked_scatter_(b, w[:1])
        k.unsqueeze(0).unsqueeze(0).clone().squeeze_((0, 1))
        c.clone().squeeze_((0, 1))
        torch.zeros(1, 1, 3).squeeze_((0, 1))
        torch.zeros(1, 1, 3, requires_grad=True).clone().squeeze_((0, 1))
        (x * 1).floor_divide_(w)
        (x * 1).floor_divide_(2)
        i.floor_divide_(2)
        i.floor_divide_(2.0)
        i.floor_divide_(x)
        x.detach().floor_divide_(2)
        (x * 1).clamp_min_(0.1)
        (x * 1).clamp_max_(0.1)
        (x * 1).clamp_min_(w)
        (x * 1).clamp_max_(w)
        x.clamp_min(w)
        x.clamp_max(w)
        (x * 1).scatter_(0, grid, p)
        (x * 1).scatter_(0, grid, 2.0)
        (x * 1).scatter_add_(0, grid, p)
        (x * 1).index_add_(1, at, p)
        (x * 1).index_add_(1, at, p, alpha=2)
        (x * 1).index_copy_(1, at, p)
        (x * 1).masked_fill_(b, 2.0)
        (x * 1).masked_fill_(b, s)
    """),
    )
