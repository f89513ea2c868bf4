"""Reductions, over dtypes, shapes, ties and argument forms."""

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown

OPERANDS = ["x", "n", "k", "s", "z", "t", "o", "h", "d", "i", "j", "u", "b"]
FORMS = [
    "",
    "0",
    "-1",
    "0, True",
    "dim=1, keepdim=True",
    "2",
    "(0, 1)",
    "()",
    "None",
    "axis=0",
    "[0]",
    "(0, 0)",
]


def _over_operands(torch, names):
    return observed(torch, [f"torch.{f}({a})" for f in names for a in OPERANDS])


def _over_forms(torch, names):
    return observed(torch, [f"x.{f}({form})" for f in names for form in FORMS])


def of_all_elements(torch):
    return _over_operands(
        torch,
        ["sum", "mean", "prod", "max", "min", "amax", "amin", "argmax", "argmin", "all", "any"],
    )


def spreads_of_all_elements(torch):
    return _over_operands(torch, ["var", "std", "var_mean", "std_mean", "median", "norm"])


ONE_DIMENSION = [form for form in FORMS if "(" not in form and "[" not in form and form != "None"]


def forms_of_sums(torch):
    return _over_forms(torch, ["sum", "mean", "all", "any"])


def forms_of_extremes(torch):
    return _over_forms(torch, ["amax", "amin", "argmax", "argmin"])


def forms_of_spreads(torch):
    # In PyTorch the gradient of var(()) is infinite.
    forms = [form for form in FORMS if form != "()"]
    return observed(torch, [f"x.{f}({form})" for f in ("var", "std") for form in forms])


def forms_for_one_dimension(torch):
    names = ["prod", "max", "min", "median"]
    cases = [f"x.{f}({form})" for f in names for form in ONE_DIMENSION]
    return observed(torch, cases + [f"x.logsumexp({form})" for form in FORMS[1:7]])


def along_a_dimension(torch):
    names = [
        "sum",
        "prod",
        "max",
        "min",
        "amax",
        "cumsum",
        "cumprod",
        "var",
        "median",
        "mode",
        "logsumexp",
    ]
    operands = ["n", "k", "s", "z", "t", "o", "h", "d", "i", "u", "b"]
    return observed(torch, [f"torch.{f}({a}, 0)" for f in names for a in operands])


def argument_forms(torch):
    return observed(
        torch,
        lines("""
        torch.sum(x, dim=0, dtype=torch.float64)
        torch.sum(x, dtype=torch.float64)
        torch.sum(i, dtype=torch.float32)
        torch.sum(i, dtype=torch.int32)
        torch.sum(input=x, dim=1)
        torch.sum(b)
        torch.sum(u)
        x.sum(dim=(0, -1), keepdim=True)
        s.sum(0)
        s.sum(-1, True)
        s.sum(1)
        torch.mean(i)
        torch.mean(i, dtype=torch.float32)
        torch.mean(x, 0, dtype=torch.float64)
        torch.mean(z)
        torch.mean(z, 0)
        torch.mean(b)
        torch.prod(x, dtype=torch.float64)
        torch.prod(o)
        torch.prod(o, 0)
        torch.prod(o, 1, keepdim=True)
        torch.prod(z)
        torch.prod(z, 1)
        torch.prod(i)
        torch.prod(b)
        torch.prod(s, 0)
        x.var(unbiased=False)
        x.var(0, unbiased=False)
        x.var(0, False)
        x.var(0, False, True)
        x.var(False)
        x.var(dim=1, correction=0)
        x.var(correction=2)
        x.var(1, correction=3)
        x.var(1, correction=5)
        x.var((0, 1), keepdim=True)
        x.var(0, correction=1.5)
        x.std(unbiased=False)
        x.std(0, unbiased=True, keepdim=True)
        x.std(1, correction=0, keepdim=True)
        torch.std(input=x, dim=0)
        torch.var(x[:1], 0)
        torch.std(x[:1], 0, correction=0)
        torch.std(t[:, 1], 0)
        torch.var_mean(x, 0)
        torch.var_mean(x, dim=1, correction=0, keepdim=True)
        torch.var_mean(x, unbiased=False)
        torch.std_mean(x, 1)
        torch.std_mean(x, (0, 1), unbiased=False)
        torch.var(i)
        torch.var(i, 0)
        torch.std(b)
        torch.var_mean(i)
        torch.var(s)
        torch.var(s, correction=0)
        torch.var(z)
        torch.var(z, 1)
        torch.var(h)
        x.max()
        x.max(1)
        x.max(dim=1).values
        x.max(1).indices
        torch.max(x, dim=0, keepdim=True)
        torch.max(input=x, dim=0)
        torch.max(x, w)
        torch.max(x, other=w)
        t.max()
        t.max(1)
        t.min(0)
        t.amax(1)
        t.amax()
        t.amin((0, 1))
        t.amax(0, True)
        t.amax(dim=(0,), keepdim=True)
        z.max()
        z.min()
        z.max(0)
        z.max(1)
        z.amax()
        z.amax(0)
        z.amax(1)
        z.argmax()
        z.argmax(0)
        z.argmax(1)
        nan.max()
        nan.min(0)
        nan.amax()
        nan.argmax()
        nan[[0, 2]].max(0)
        b.max()
        b.max(1)
        b.amax()
        b.argmax()
        i.max()
        i.min(1)
        i.argmin(1, keepdim=True)
        t.argmax(1)
        t.argmax(dim=0, keepdim=True)
        t.argmin()
        s.max(0)
        s.argmax()
        s.argmax(0)
        k.max(-2)
        k.amax((0, 2))
        x.cumsum(0)
        x.cumsum(dim=-1)
        x.cumsum(1, dtype=torch.float64)
        x.cumsum(2)
        i.cumsum(0)
        b.cumsum(1)
        s.cumsum(0)
        z.cumsum(0)
        x.cumprod(1)
        o.cumprod(1)
        o.cumprod(0)
        i.cumprod(1)
        s.cumprod(0)
        x.logsumexp(0)
        x.logsumexp(dim=(0, 1))
        x.logsumexp(1, True)
        torch.logsumexp(x, -1)
        nan.logsumexp(0)
        torch.logsumexp(i, 0)
        s.logsumexp(0)
        x.norm()
        x.norm(2)
        x.norm(1)
        x.detach().norm(p=3)
        x.norm(dim=1)
        x.norm(2, 1)
        x.norm(1, 0, True)
        x.norm(float('inf'))
        x.norm(0)
        torch.norm(x, dim=(0, 1))
        o.norm()
        o.norm(dim=0)
        (o * 0).norm()
        torch.linalg.vector_norm(x)
        torch.linalg.vector_norm(x, 1)
        torch.linalg.vector_norm(x, dim=1, keepdim=True)
        torch.linalg.vector_norm(x, 3, dim=0)
        torch.linalg.vector_norm(x, float('inf'), 1)
        torch.linalg.norm(x)
        torch.linalg.norm(w)
        torch.linalg.norm(w, 1)
        i.norm()
        x.all()
        b.all(1)
        b.all(0, True)
        b.any(dim=1)
        b.any((0, 1))
        i.any()
        u.all()
        z.all()
        z.any()
        z.all(0)
        x.median()
        x.median(1)
        k.median(0)
        w.median()
        t.median(1)
        x.mode()
        t.mode(1)
        t.mode(0)
        x.count_nonzero()
        o.count_nonzero(1)
        torch.trace(x)
        torch.trace(x @ q)
        torch.trace(s)
        torch.trace(i)
        torch.logsumexp(x, 3)
    """),
    )


def spreads_over_no_dimensions(torch):
    """All are reduced, but backward counts none."""
    seen = []
    for name in ("var", "std", "var_mean", "std_mean"):
        for dim in ((), [], None):
            for options in ({}, {"keepdim": True}, {"correction": 0}, {"correction": 3}):
                x = torch.tensor([[1.0, 2.0, 5.0], [2.0, 3.0, 8.0]], requires_grad=True)
                z = getattr(torch, name)(x, dim, **options)
                parts = z if isinstance(z, tuple) else (z,)
                grads = [torch.autograd.grad(each.sum(), x, retain_graph=True) for each in parts]
                seen.append([parts, str(grads), parts[0].grad_fn._saved_dim])
    return seen


def logarithms_of_sums_over_no_dimensions(torch):
    return shown(
        torch,
        """
        torch.logsumexp(torch.ones(2), ())
        torch.logsumexp(torch.ones(2, 3, requires_grad=True), [])
        torch.logsumexp(torch.ones(2, 3), (), keepdim=True)
        torch.logsumexp(torch.ones(()), ())
        torch.logsumexp(torch.ones(0, 2), ())
        """,
    )


def norms_of_odd_order(torch):
    return observed(
        torch,
        lines("""
        x.norm(1.5)
        s.norm(1.5)
        o.norm(1.5)
        o.norm(1.5, dim=0, keepdim=True)
        z.norm(1.5)
        """),
    )
