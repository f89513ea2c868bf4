"""Writing at indices of every form, and what does not fit there."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome
from tests.parity.sessions import shown


def _assigned(torch, text, value):
    """What `z[...] = value` does to z, to its graph and to the gradients."""
    x = torch.full((2, 3), 0.75, requires_grad=True)
    y, z = value.clone().requires_grad_(value.is_floating_point()), x * 1
    b = torch.tensor([[True, False, True], [False, True, True]])

    def run():
        exec(f"z[{text}] = y", {"z": z, "y": y, "b": b, "torch": torch})
        z.sum().backward()
        return [z, z._version, graph(z.grad_fn), x.grad, y.grad]

    return [text, outcome(run)]


def truth_values(torch):
    values = [torch.ones(3), torch.ones(()), torch.ones(1, 2, 3), torch.ones(7)]
    return [_assigned(torch, text, value) for text in ("True", "False") for value in values]


def leading_ones(torch):
    texts = ["[0, 1]", ":, [0, 2]", "b", "0", "None, 0", "...", "[0], [1]"]
    values = [torch.ones(1, 3), torch.ones(1, 1), torch.ones(1, 2), torch.ones(1, 4)]
    return [_assigned(torch, text, value) for text in texts for value in values]


def other_dtypes(torch):
    texts = ["[0, 1]", "b", "0", "True"]
    values = [torch.ones(3, dtype=torch.float64), torch.tensor(2), torch.ones(1).double()]
    return [_assigned(torch, text, value) for text in texts for value in values]


def put(torch):
    return observed(
        torch,
        lines("""
        torch.index_put(x, (at % 2,), w)
        x.index_put((at % 2, at), w, accumulate=True)
        x.index_put((b,), s)
        x.index_put((torch.tensor([1]),), w)
        x.index_put((torch.tensor(0), at), s, True)
        (x * 1).index_put_((at % 2, torch.tensor(0)), s, accumulate=True)
        (x * 1).index_put_((torch.tensor(0),), w)
        (i * 1).index_put_((at % 2, torch.tensor(0)), i[0], accumulate=True)
        (x * 1).index_put_((at % 2,), i[0])
        (x * 1).index_put_((at % 2,), torch.ones(2, 2))
        (x * 1).index_put_((at % 2,), torch.ones(2, 2), accumulate=True)
        (x * 1).index_put_((b,), torch.ones(2, 2))
        (x * 1).index_put_((None, at), s)
        (x * 1).index_put_((slice(0, 1),), s)
        (x * 1).index_put_(at, s)
        (x * 1).index_put_((at,), 2.0)
        (x * 1).index_put_((at, at, at), s)
        (x * 1).index_put_((torch.tensor([5]),), s)
        x.index_put((torch.tensor([0.5]),), s)
    """),
    )


def added_and_copied_by_slices(torch):
    return observed(
        torch,
        lines("""
        x.index_add(0, at % 2, w)
        x.index_add(0, at % 2, s)
        x.index_add(0, grid, x)
        x.index_add(0, torch.tensor([5]), torch.ones(1, 3))
        x.index_add(0, torch.tensor([-1]), torch.ones(1, 3))
        x.index_add(0, torch.tensor([0.0]), x)
        x.index_add(0, torch.tensor(0), torch.ones(1, 3))
        x.index_add(1, at % 2, d)
        x.index_add(1, at % 2, s)
        (x * 1).index_add_(0, at % 2, torch.ones(3, 2))
        w.index_add(0, torch.tensor([0]), s)
        s.index_add(0, torch.tensor([0]), s)
        s.index_add(0, torch.tensor([0]), torch.ones(1))
        x.index_copy(0, at % 2, x)
        x.index_copy(0, at % 2, s)
        x.index_copy(0, grid, x)
        x.index_copy(0, at.int() % 2, torch.ones(3, 3))
        x.index_copy(0, torch.tensor([5]), torch.ones(1, 3))
        x.index_copy(0, torch.tensor([1]), torch.ones(1, 2))
        x.index_copy(1, at, d)
        x.index_copy(0, torch.tensor(0), torch.ones(1, 3))
        w.index_copy(0, torch.tensor([0]), s)
        s.index_copy(0, torch.tensor([0]), torch.ones(1))
        x.index_fill(0, grid, 3)
        s.index_select(0, torch.tensor([0, 0]))
    """),
    )


def of_elements(torch):
    return observed(
        torch,
        lines("""
        s.gather(0, torch.tensor([0, 0]))
        s.scatter(0, torch.tensor([0]), 2.0)
        s.scatter_add(0, torch.tensor([0]), torch.ones(1))
        x.gather(0, at[:0])
        x.gather(1, at[:0])
        x.scatter(1, at[:0], 2.0)
        x.scatter_add(1, at[:0], torch.ones(0))
        x.scatter_add(0, b, x)
        x.take(torch.tensor([-1, 0, -1]))
        torch.take_along_dim(x, at.int(), 0)
    """),
    )


def of_a_number(torch):
    return observed(
        torch, ["s[0]", "s[-1]", "s[5]", "s[(0,)]", "s[::-1]", "s[1::0]", "s[:]", "s[at]"]
    )


def arguments_are_looked_at_before_the_memory_that_they_share(torch):
    return observed(
        torch,
        lines("""
        t.detach().index_add_(0, torch.tensor([0]), t.detach())
        t.detach().scatter_(0, torch.tensor([0]), t.detach())
        t.detach().t().scatter_(0, torch.tensor([[0, 1, 0]]), t.detach().t())
        t.detach().t().scatter_(0, torch.tensor([[0, 1, 0]]), s.detach())
        t.detach().put_(torch.tensor([0, 1]), t.detach())
        t.detach().expand(2, 2, 3).put_(torch.tensor([0, 1]), w.detach())
        s.index_put_((torch.tensor([0, 0]),), w)
    """),
    )


def rows_added_that_are_wide(torch):
    """Where a row is named again, in what order, and as deep as the index is."""
    torch.manual_seed(0)
    whole, few = torch.zeros(3, 300), torch.tensor([2, 0, 2, 2])
    rows = torch.randn(4, 300)
    weight = torch.randn(3, 300, requires_grad=True)
    columns = torch.randn(300, 3, requires_grad=True)
    mask = torch.tensor([True, False, True])
    return [
        whole.index_add(0, few, rows, alpha=2),
        whole.t().index_add(1, few, rows.t()).t(),
        whole.index_put((few,), rows[:1], accumulate=True),
        whole.index_put((few.view(2, 2),), rows.view(2, 2, 300), accumulate=True),
        whole[:, None].index_put((few,), rows[:, None], accumulate=True),
        torch.zeros(2, 3, 300).index_put(
            (torch.tensor([1, 1]), few[:2]), rows[:2], accumulate=True
        ),
        torch.autograd.grad(weight[few], weight, rows),
        torch.autograd.grad(weight[few.view(2, 2)], weight, rows.view(2, 2, 300)),
        torch.autograd.grad(weight[mask], weight, rows[:2]),
        torch.autograd.grad(columns[:, few], columns, rows.t()),
        torch.autograd.grad(columns[:, mask], columns, rows[:2].t()),
        torch.autograd.grad(torch.nn.functional.embedding(few, weight), weight, rows),
    ]


def elements_combined_in_several_dtypes(torch):
    index = torch.tensor([[0, 2, 0], [1, 1, 0]])
    answers = []
    for dtype in (torch.float32, torch.float64, torch.float16, torch.int64, torch.uint8):
        x = torch.arange(1, 7).view(2, 3).to(dtype)
        y = torch.arange(2, 8).view(2, 3).to(dtype)
        answers += [x.scatter(1, index, 2, reduce=how) for how in ("add", "multiply")]
        answers += [
            x.scatter_reduce(1, index, y, how, include_self=include_self)
            for how in ("sum", "prod", "mean", "amax", "amin")
            for include_self in (True, False)
        ]
        answers.append(x.t().scatter_add(0, index.t(), y.t()))
    one = torch.tensor(3.0)
    answers.append(one.scatter_reduce(0, torch.tensor([0]), torch.tensor([4.0]), "mean"))
    answers.append(one.scatter_add(0, torch.tensor(0), torch.tensor(4.0)))
    return answers


def read_by_themselves(torch):
    def moved(name, x, *where):
        return outcome(lambda: getattr(x, name)(*where, x))

    index, nothing = torch.tensor([0, 1]), torch.zeros(0, dtype=torch.int64)
    parts = torch.arange(4.0).view(2, 2).diagonal(), torch.arange(4.0)[::2], torch.arange(2.0)
    return [
        *[moved(name, x, 0, index) for x in parts for name in ("scatter_", "index_copy_")],
        *[moved(name, x, 0, index) for x in parts for name in ("scatter_add_", "index_add_")],
        moved("index_copy_", torch.zeros(0, 3), 0, nothing),
        moved("put_", torch.zeros(0), nothing),
    ]


def sources_and_memory_that_do_not_reach(torch):
    zeros, whole = torch.zeros, torch.int64
    first = torch.tensor([0])
    return [
        outcome(call)
        for call in (
            lambda: zeros(3, 2).scatter(1, zeros(3, 2, dtype=whole), torch.ones(1)),
            lambda: zeros(3, 2).scatter(1, zeros(1, 2, dtype=whole), torch.ones(1)),
            lambda: zeros(3, 2).scatter_add(1, zeros(3, 2, dtype=whole), torch.ones(3, 1)),
            lambda: zeros(3, 2).scatter_add(1, zeros(3, 2, dtype=whole), torch.ones(3, 2, 2)),
            lambda: zeros(0, 3).put_(first, torch.tensor([7.0])),
            lambda: zeros(0, 3).put_(zeros(0, dtype=whole), zeros(0)),
            lambda: zeros(0, 3).take(first),
            lambda: zeros(0, 3).take(zeros(0, dtype=whole)),
            lambda: zeros(0).narrow(0, 1, 2),
        )
    ]


def indices_that_are_out_of_range(torch):
    return shown(
        torch,
        """
        x = torch.arange(4.0)
        x.index_add(0, torch.tensor([0, 9]), torch.ones(2))
        x.index_add(0, torch.tensor([0, -5]), torch.ones(2))
        x.index_add(0, torch.tensor([0, -1]), torch.ones(2))
        x.reshape(2, 2).index_add(0, torch.tensor([0, 9]), torch.ones(2, 2))
        x.reshape(2, 2).index_add(1, torch.tensor([0, 9]), torch.ones(2, 2))
        x.reshape(2, 2).index_add(1, torch.tensor([0, -1]), torch.ones(2, 2))
        x.reshape(4, 1).index_add(0, torch.tensor([0, 9]), torch.ones(2, 1))
        torch.tensor(1.0).index_add(0, torch.tensor([9]), torch.ones(1))
        torch.tensor(1.0).index_add(0, torch.tensor(9), torch.tensor(1.0))
        x.clone().index_add_(0, torch.tensor([0, 9]), torch.ones(2))
        x.index_add(0, torch.tensor(9), torch.tensor(1.0))
        x.index_copy(0, torch.tensor([0, 9]), torch.ones(2))
        x.index_copy(0, torch.tensor([0, -1]), torch.ones(2))
        x.index_fill(0, torch.tensor([0, 9]), 1.0)
        x.index_fill(0, torch.tensor([0, -1]), 1.0)
        x.index_select(0, torch.tensor([0, 9]))
        x.index_select(0, torch.tensor([0, -1]))
        x.gather(0, torch.tensor([0, 9]))
        x.gather(0, torch.tensor([0, -1]))
        x.scatter(0, torch.tensor([0, 9]), 1.0)
        x.scatter_add(0, torch.tensor([0, 9]), torch.ones(2))
        x.scatter_reduce(0, torch.tensor([0, 9]), torch.ones(2), 'sum')
        x.take(torch.tensor([9]))
        x.take(torch.tensor([-5]))
        x.put(torch.tensor([9]), torch.ones(1))
        x.index_put((torch.tensor([9]),), torch.ones(1))
        x[torch.tensor([9])]
        torch.nn.functional.embedding(torch.tensor([9]), x.reshape(2, 2))
        torch.take_along_dim(x, torch.tensor([9]), 0)
        x.index_add(0, torch.tensor([0, 9]), torch.ones(2), alpha=2)
        x.long().index_add(0, torch.tensor([0, 9]), torch.ones(2).long())
        x.reshape(2, 1, 2).index_add(0, torch.tensor([0, 9]), torch.ones(2, 1, 2))
        """,
    )


def numbers_that_are_too_large(torch):
    return shown(
        torch,
        """
        x = torch.zeros(2)
        x[0] = 2**70
        x
        torch.arange(3).repeat_interleave(torch.ones(3))
        torch.arange(4).repeat_interleave(torch.tensor([1, 0, 2, 1], dtype=torch.int32))
        """,
    )
