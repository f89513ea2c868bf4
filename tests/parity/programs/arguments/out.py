"""`out=`: results written into tensors that the caller has."""

from tests.parity.changes import changed
from tests.parity.harness import outcome, warned
from tests.parity.sessions import shown

_FUNCTIONS = [
    "torch.add(w.detach(), 1, out=y)", "torch.sub(w.detach(), 1, out=y)",
    "torch.mul(w.detach(), 2, out=y)", "torch.div(w.detach(), 2, out=y)",
    "torch.pow(w.detach(), 2, out=y)", "torch.exp(w.detach(), out=y)",
    "torch.sin(w.detach(), out=y)", "torch.tanh(w.detach(), out=y)",
    "torch.sigmoid(w.detach(), out=y)", "torch.neg(w.detach(), out=y)",
    "torch.abs(w.detach(), out=y)", "torch.clamp(w.detach(), 0, 1, out=y)",
    "torch.maximum(w.detach(), c.detach(), out=y)", "torch.sum(t.detach(), 0, out=y)",
    "torch.mean(t.detach(), 0, out=y)", "torch.prod(t.detach(), 0, out=y)",
    "torch.cumsum(w.detach(), 0, out=y)", "torch.mm(t.detach(), q.detach(), out=y)",
    "torch.matmul(t.detach(), q.detach(), out=y)", "torch.cat([w.detach(), w.detach()], out=y)",
    "torch.stack([w.detach(), w.detach()], out=y)",
    "torch.where(b, t.detach(), -t.detach(), out=y)",
    "torch.eq(w.detach(), 1.5, out=y)", "torch.logical_not(w.detach(), out=y)",
    "torch.index_select(w.detach(), 0, at, out=y)", "torch.gather(t.detach(), 0, grid, out=y)",
    "torch.outer(w.detach(), w.detach(), out=y)", "torch.round(w.detach(), out=y)",
    "torch.softmax(w.detach(), 0, out=y)", "torch.triu(t.detach(), out=y)",
    "torch.argmax(w.detach(), out=y)",
    "torch.take(t.detach(), at, out=y)", "torch.addcmul(w.detach(), t.detach(), t.detach(), out=y)",
    "torch.lerp(t.detach(), t.detach() + 1, 0.5, out=y)", "torch.remainder(t.detach(), 2, out=y)",
]  # fmt: skip


def into_a_tensor_of_any_shape(torch):
    return changed(torch, "torch.zeros(5)", _FUNCTIONS)


def into_an_empty_tensor(torch):
    return changed(torch, "torch.empty(0)", _FUNCTIONS)


def into_integers(torch):
    return changed(torch, "torch.zeros(3, dtype=torch.int64)", [
        each for each in _FUNCTIONS if "mean" not in each and "stack" not in each
    ])  # fmt: skip


def into_doubles(torch):
    casts = [
        each
        for each in _FUNCTIONS
        if each.partition("(")[0].endswith(
            (".add", ".mul", "exp", "sin", "neg", "clamp", "eq", "where", "cat", "round")
        )
    ]
    return changed(torch, "torch.zeros(3, dtype=torch.float64)", casts)


def into_part_of_a_tensor(torch):
    calls = [
        "torch.add(w.detach(), 1, out=y)",
        "torch.exp(w.detach(), out=y)",
        "torch.mul(t.detach(), 2, out=y)",
    ]
    return [
        changed(torch, made, calls)
        for made in ("torch.zeros(3, 3)[:, 1]", "torch.zeros(6)[:3]", "torch.zeros(3).expand(2, 3)")
    ]


def where_a_gradient_would_be_needed(torch):
    return changed(torch, "torch.zeros(3)", [
        "torch.add(w, 1, out=y)", "torch.exp(w, out=y)", "torch.mul(w, w, out=y)",
        "torch.sum(x, 0, out=y)", "torch.cat([w, w], out=y)", "torch.matmul(w, q, out=y)",
        "torch.max(x, 0, out=(y, torch.zeros(3, dtype=torch.int64)))", "torch.eq(w, 1, out=y)",
    ])  # fmt: skip


def into_a_tensor_that_requires_grad(torch):
    return changed(torch, "w * 1", ["torch.add(w.detach(), 1, out=y)", "torch.exp(y, out=y)"])


def into_an_argument(torch):
    return changed(torch, "torch.tensor([1.0, 2.0, 3.0])", [
        "torch.add(y, 1, out=y)", "torch.mul(y, y, out=y)", "torch.exp(y, out=y)",
        "torch.cumsum(y, 0, out=y)", "torch.sin(y, out=y)",
    ])  # fmt: skip


def of_several_results(torch):
    seen = []
    for function, *arguments in (
        (torch.max, 1), (torch.min, 0), (torch.sort, 1), (torch.topk, 2), (torch.median, 1),
        (torch.mode, 1), (torch.kthvalue, 2),
    ):  # fmt: skip
        x = torch.tensor([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
        values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
        result = function(x, *arguments, out=(values, indices))
        seen.append([values, indices, type(result).__name__, result[0] is values,
                     result[1] is indices, values._version, indices._version])  # fmt: skip
    return seen


def what_is_no_tensor(torch):
    return changed(torch, "torch.zeros(3)", [
        "torch.add(y, 1, out=[1])", "torch.exp(y, out=2)", "torch.exp(y, out=None)",
        "torch.add(y, 1, out=(y,))", "y.add(1, out=y)", "torch.relu(y, out=y)",
        "torch.t(y, out=y)",
    ])  # fmt: skip


def into_a_tensor_that_takes_another_form(torch):
    """What it requires forbids that only where something would be recorded."""
    with torch.no_grad():
        x = torch.ones(3, requires_grad=True)
        torch.add(torch.ones(2), 1, out=x)
    return [x, x._version]


def of_integers_into_a_tensor_that_requires_grad(torch):
    x, whole = torch.ones(2, requires_grad=True), torch.ones(2, dtype=torch.int64)
    return [
        outcome(lambda: torch.add(whole, whole, out=x)),
        outcome(lambda: torch.sum(whole, 0, out=x[0])),
        outcome(lambda: torch.eq(whole, whole, out=x)),
    ]


def what_is_read_while_it_is_written(torch):
    """Refused where elements of one are other elements of the other, but not by softmax."""
    functions = {
        "exp": lambda x, y, out: torch.exp(x, out=out),
        "add": lambda x, y, out: torch.add(x, y, out=out),
        "pow": lambda x, y, out: torch.pow(2, x, out=out),
        "maximum": lambda x, y, out: torch.maximum(x, y, out=out),
        "clamp": lambda x, y, out: torch.clamp(x, 0, 1, out=out),
        "where": lambda x, y, out: torch.where(x > 0, x, y, out=out),
        "cat": lambda x, y, out: torch.cat([x[:1], x[1:]], out=out),
        "index_select": lambda x, y, out: torch.index_select(x, 0, torch.tensor([1]), out=out[:1]),
        "softmax": lambda x, y, out: torch.softmax(x, 0, out=out),
        "cumsum": lambda x, y, out: torch.cumsum(x, 0, out=out),
    }
    found = {}
    for name, function in functions.items():
        x = torch.arange(4.0)
        found[name] = outcome(lambda f=function, x=x: f(x[:2], x[2:], x[1:3])), x
        found[f"{name} in its own place"] = outcome(lambda f=function, x=x: f(x[:2], x[2:], x[:2]))
    return found


def geometries_that_there_are_not(torch):
    return [
        outcome(call)
        for call in (
            lambda: torch.empty_strided((2, 3), (1,)),
            lambda: torch.empty_strided((2, -3), (1, 2)),
            lambda: torch.empty_strided((2, 3), (-1, 2)),
            lambda: torch.empty_strided((0, -1), (1, 1)),
            lambda: torch.ones(1).new_empty_strided((2,), (1, 2)),
            lambda: torch.empty_strided((), ()).shape,
        )
    ]


def rows_into_other_shapes(torch):
    def filled(make, *shape, **options):
        out = torch.zeros(*shape, **options)
        return [warned(lambda: make(out)), out, out.stride()]

    def spaced(out):
        torch.linspace(0, 1, 3, out=out)

    def counted(out):
        torch.arange(3, out=out)

    shapes = (3,), (3, 1), (1, 3), (5,), (0,), ()
    return [
        [filled(make, shape) for make in (spaced, counted) for shape in shapes],
        filled(counted, 2, 3, dtype=torch.int64),
        filled(lambda out: torch.logspace(0, 3, 4, base=2, out=out.t()), 2, 2),
    ]


def into_other_dtypes(torch):
    """Some functions cast nothing; some forms of others do."""
    calls = (
        "torch.sgn(a", "torch.bitwise_not(i", "torch.clamp_min(a, 0", "torch.clamp_max(a, b",
        "torch.clamp(a, b, b", "torch.clamp(a, 0, 1", "torch.lerp(a, b, b", "torch.lerp(a, b, 0.5",
        "torch.inner(a, b", "torch.isposinf(a", "torch.isneginf(a", "torch.signbit(a",
        "torch.isin(a, b", "torch.index_add(a, 0, j, b", "torch.index_copy(a, 0, j, b",
        "torch.scatter_add(a, 0, i, b", "torch.scatter_reduce(a, 0, i, b, 'sum'",
        "torch.baddbmm(a[None], a[None], b[None]", "torch.take_along_dim(a, i, 0",
    )  # fmt: skip
    names = {
        "torch": torch,
        "a": torch.tensor([[1.0, 2.0], [0.0, 1.0]]),
        "b": torch.tensor([[1.0, 1.0], [2.0, -1.0]]),
        "i": torch.tensor([[0, 1], [1, 0]]),
        "j": torch.tensor([1, 0]),
    }
    seen = {}
    for call in calls:
        for dtype in (torch.float32, torch.float64, torch.int64, torch.bool):
            out = names["out"] = torch.empty(0, dtype=dtype)
            written = f"{call}, out=out)"
            seen[f"{call}, {dtype})"] = outcome(lambda w=written: eval(w, names)), out
    return seen


def of_linalg(torch):
    return shown(
        torch,
        """
        x, y = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(4, 3)
        o, c = torch.zeros(2), torch.zeros(2, 3)
        torch.linalg.vector_norm(x, out=o)
        torch.linalg.vector_norm(x, 3.0, 0, True, out=o), o._version
        torch.linalg.vector_norm(x, dim=1, out=o.double())
        torch.linalg.vector_norm(x, dim=1, dtype=torch.float64, out=torch.zeros(2).double())
        torch.linalg.vector_norm(x.clone().requires_grad_(), dim=1, out=o)
        torch.linalg.vector_norm(x, dim=1, out=3)
        torch.linalg.vector_norm(x.clone(), dim=1, out=x[0, :2])
        torch.linalg.vector_norm(input=x, axis=0)
        torch.linalg.vector_norm(3)
        torch.linalg.vector_norm(x, dim='a')
        torch.linalg.vector_norm(x, keepdim=3)
        torch.linalg.norm(x, 2.0, 0, out=torch.zeros(3))
        torch.linalg.norm(x, dim=1, out=torch.zeros(2).double())
        torch.linalg.norm(x, dim=1, out=x[0, :2])
        torch.linalg.norm(3)
        torch.linalg.norm(A=x)
        torch.linalg.cross(x, x + 1, out=c), c._version
        torch.linalg.cross(x, x.roll(1, 1), out=torch.zeros(0))
        torch.linalg.cross(x, x.roll(1, 1), out=c.double())
        torch.linalg.cross(x.clone().requires_grad_(), x, out=c)
        torch.linalg.cross(x, x.roll(1, 1), out=x)
        torch.linalg.cross(x, 3)
        torch.cross(y[:2], y[2:], dim=1, out=y[:2])
        torch.cross(y[:2], y[2:], dim=1, out=torch.zeros(1, 3).expand(3, 3))
        torch.linalg.matmul(x, x.T, out=torch.zeros(2))
        torch.linalg.matmul(x, x.T, out=torch.zeros(2, 2).double())
        torch.linalg.matmul(x, 3)
        """,
    )


def what_does_not_fit(torch):
    return shown(
        torch,
        """
        a, b, c = torch.arange(6.0).reshape(2, 3), torch.ones(2, 3), torch.ones(2, 2)
        torch.median(a, out=torch.zeros(()))
        torch.median(a, 0, out=(torch.zeros(3), torch.zeros(3, dtype=torch.long)))
        torch.median(a, dim=0, out=(torch.zeros(0), torch.zeros(0, dtype=torch.long)))
        torch.median(a, 0, True, out=(torch.zeros(0), torch.zeros(0, dtype=torch.long)))
        torch.concat([a, b], out=torch.zeros(0, dtype=torch.bool))
        torch.concatenate([a, b], out=torch.zeros(0, dtype=torch.long))
        torch.hstack([a, b], out=torch.zeros(0, dtype=torch.long))
        torch.vstack([a, b], out=torch.zeros(0, dtype=torch.long))
        torch.row_stack([a, b], out=torch.zeros(0, dtype=torch.long))
        torch.row_stack([a, b], out=torch.zeros(1, 3).expand(2, 3))
        torch.hstack([a, b], out=torch.zeros(1, 3).expand(2, 3))
        torch.stack([a, b], out=torch.zeros(1, 3).expand(2, 3))
        torch.fix(a, out=torch.zeros(0, dtype=torch.float64))
        torch.sum(a.clone().requires_grad_(), 0, out=torch.zeros(3, dtype=torch.long))
        torch.prod(a.clone().requires_grad_(), 0, out=torch.zeros(3, dtype=torch.long))
        torch.cumsum(a.clone().requires_grad_(), 0, out=torch.zeros(2, 3, dtype=torch.long))
        torch.cumprod(a.clone().requires_grad_(), 0, out=torch.zeros(2, 3, dtype=torch.long))
        torch.aminmax(a, out=(c,))
        torch.cummax(a, 0, out=(a,))
        torch.sort(a, out=(a, b, c))
        torch.max(a, 0, out=(a,))
        torch.max(a, 0, out=a)
        torch.inner(a, b, out=torch.zeros(1, 3).expand(2, 3))
        torch.inner(a, b, out=torch.zeros(1, 2).expand(2, 2))
        torch.clamp_min(a, 0, out=(a,))
        torch.clamp(a, 0, 1, out=(a, b))
        torch.lt(a, b, out=(a, b))
        torch.ge(a, 0, out=3)
        torch.pow(a, 2, out=3)
        torch.add(a, b, out=[a])
        torch.exp(a, out=3)
        torch.sum(a, 0, out=3)
        torch.sum(a, out=3)
        torch.mean(a, 0, out=3)
        torch.all(a, out=3)
        torch.std(a, 0, out=3)
        torch.where(a > 0, a, b, out=3)
        torch.gather(a, 0, torch.zeros(1, 1, dtype=torch.long), out=3)
        torch.scatter(a, 0, torch.zeros(1, 1, dtype=torch.long), 2.0, out=3)
        torch.argmax(a, 0, out=3)
        torch.softmax(a, 0, out=3)
        torch.sort(a, out=3)
        torch.max(a, b, out=3)
        torch.cat([a, b], out=3)
        torch.lerp(a, b, 0.5, out=3)
        torch.round(a, out=3)
        torch.round(a, decimals=1, out=3)
        torch.std(a, out=3)
        torch.var(a, 1, out=c)
        torch.any(a, 1, out='x')
        torch.bitwise_and(c.long(), c.long(), out=3)
        torch.isin(a, b, out=3)
        torch.nonzero(a, out=3)
        torch.tril(a, out=3)
        """,
    )


def factories_into_a_tensor(torch):
    return shown(
        torch,
        """
        torch.zeros(2, out=torch.ones(3)), torch.eye(2, out=torch.ones(3))
        torch.ones(2, out=torch.zeros(2, dtype=torch.int64))
        torch.zeros(2, dtype=torch.float64, out=torch.ones(2))
        torch.eye(2, dtype=torch.float64, out=torch.ones(2))
        torch.arange(3, dtype=torch.float32, out=torch.ones(3))
        torch.randint(0, 2, (2,), dtype=torch.float64, out=torch.ones(2))
        torch.zeros(2, out=3)
        torch.zeros(2, out=torch.ones(2, requires_grad=True))
        torch.linspace(0, 1, 2, out=torch.ones(2, requires_grad=True))
        torch.full((2,), 3., out=torch.ones(2), requires_grad=True)
        x = torch.ones(2, requires_grad=True)
        with torch.no_grad(): torch.zeros(2, out=x)
        x
        """,
    )


def of_two_results(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        floats, longs = torch.empty(2), torch.empty(2, dtype=torch.int64)
        torch.max(x, 0, out=(floats, floats))
        torch.min(x, 0, out=(longs, longs))
        torch.sort(x, 0, out=(x.double(), longs))
        torch.topk(x[0], 2, out=(floats, floats))
        torch.cummax(x[0], 0, out=(floats, floats))
        torch.kthvalue(x, 1, out=(longs, longs))
        torch.mode(x, out=(longs, longs))
        torch.any(x, 0, out=floats)
        torch.all(x, 0, out=longs)
        torch.any(x, 0, out=torch.empty(2, dtype=torch.uint8))
        torch.all(x, out=torch.empty((), dtype=torch.bool))
        """,
    )


def results_in_an_operand_of_another_shape(torch):
    x = torch.arange(4.0)
    return outcome(lambda: torch.diag(x, out=x))
