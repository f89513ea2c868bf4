"""`x[index] = v` in every form, and the methods that write at indices."""

from tests.parity.changes import changed
from tests.parity.harness import outcome


def of_numbers(torch):
    return changed(torch, "x * 1", [
        "y[0] = 1", "y[0, 1] = 2.5", "y[:] = 3", "y[...] = 3", "y[None] = 4", "y[1:] = True",
        "y[:, 1] = 5", "y[..., 0] = 5", "y[-1] = 6", "y[b] = 7", "y[[1, 0]] = 8", "y[at % 2] = 9",
        "y[:, at] = 9", "y[::2] = 1", "y[:, None, 1] = 1", "y[1, ::2] = 0", "y[0:0] = 3",
        "y[5] = 1", "y[0, 0, 0] = 1", "y[::-1] = 1", "y['a'] = 1", "y[0] = 'a'", "y[x > 0] = 0",
        "y[torch.tensor(1)] = 2", "y[b[0]] = 1", "y[True] = 3", "y[0, [0, 2]] = 1",
    ])  # fmt: skip


def of_tensors(torch):
    return changed(torch, "x * 1", [
        "y[0] = w", "y[:] = w", "y[...] = c", "y[:, 0] = s", "y[b] = s", "y[at % 2] = w",
        "y[[0, 1]] = x * 2", "y[0] = torch.ones(2)", "y[0] = torch.ones(1, 3)", "y[0] = d[0]",
        "y[0] = h[0]", "y[0] = i[0]", "y[0, 0] = s", "y[0, 0] = torch.ones(2)", "y[:] = y * 2",
        "y[0] = y[1]", "y[:, 1:] = c", "y[:] = k", "y[0] = [1.0, 2.0, 3.0]", "y[:] = 2 * w",
    ])  # fmt: skip


def into_integers(torch):
    return changed(torch, "i + 0", [
        "y[0] = 1.7", "y[0] = w.detach()", "y[b] = 2", "y[0] = True", "y[:] = d.detach()",
    ])  # fmt: skip


def of_a_leaf(torch):
    return changed(torch, "x", ["y[0] = 1", "y[b] = 1", "y[0] = w", "y[at % 2] = 1"])


def copies(torch):
    return changed(torch, "x * 1", [
        "y.copy_(w)", "y.copy_(c)", "y.copy_(s)", "y.copy_(i)", "y.copy_(h)", "y.copy_(d)",
        "y.copy_(k)", "y.copy_(y)", "y.copy_(w, non_blocking=True)", "y.copy_(2.0)",
        "y.copy_(other=t)", "y.copy_(torch.ones(5))",
    ])  # fmt: skip


def fills(torch):
    return changed(torch, "x * 1", [
        "y.fill_(2)", "y.fill_(True)", "y.fill_(s)", "y.fill_(w)", "y.fill_(torch.tensor(3))",
        "y.zero_()", "torch.fill_(y, 2)", "torch.zero_(y)", "y.t().fill_(1)", "y[0].zero_()",
        "y.diagonal().fill_(3)",
    ])  # fmt: skip


def fills_of_integers(torch):
    return changed(torch, "i + 0", ["y.fill_(2.7)", "y.zero_()", "y.fill_(True)"])


def at_indices(torch):
    return changed(torch, "x * 1", [
        "y.index_put_((at % 2,), w)", "y.index_put_((at % 2,), w, accumulate=True)",
        "y.index_put_((at % 2, at), w)", "y.index_put_((b,), s)",
        "torch.index_put_(y, (at % 2,), w)", "y.index_put_([at % 2], s)",
        "y.index_put_((at % 2, at), w, True)",
    ])  # fmt: skip


def one_element_everywhere(torch):
    x = torch.arange(6.0).view(2, 3)
    x[0] = x.view(-1)[1]
    x[:, 1].fill_(x[1, 1])
    return x


def leaves_come_before_indices(torch):
    def assign(x, index, value=2.5):
        return outcome(lambda: x.__setitem__(index, value))

    def leaf():
        return torch.ones(3, 2, requires_grad=True)

    mask = torch.tensor([True, False])
    return [
        assign(leaf(), [5]),
        assign(leaf(), (slice(1), mask, [0])),
        assign(leaf(), torch.tensor([0, 3])),
        assign(leaf(), ([0, 1], [0, 1, 0])),
        assign(leaf(), mask, torch.ones(7)),
        assign(leaf(), 5),
        assign(leaf()[0], [5]),
        assign(leaf() * 1, [5]),
        assign(leaf(), ([3], 1.5, 3)),
        outcome(lambda: leaf()[[3], 1.5, 3]),
        outcome(lambda: torch.tensor(1.0)[1.5]),
        outcome(lambda: leaf().index_put_((torch.tensor([9]),), torch.ones(1))),
    ]


def one_number_by_a_mask(torch):
    """It is filled in whatever its dtype, also where views come before the mask."""

    def assigned(make, index, value):
        x = make()
        return [outcome(lambda: x.__setitem__(index, torch.tensor(value))), x]

    def whole():
        return torch.arange(6).view(2, 3)

    def tracked():
        return torch.ones(2, 3, requires_grad=True) * 1

    everything, mask = slice(None), torch.tensor([True, False, True])
    places = (everything, mask), (..., mask), (None, 1, mask), (slice(0), mask), (0, mask), mask[:2]
    return [
        *[assigned(tracked, place, 7) for place in places],
        *[assigned(whole, place, 2.5) for place in places],
        assigned(tracked, (everything, mask), [7]),
        assigned(tracked, (everything, mask), [7, 8]),
        assigned(tracked, (mask[:2], 0), 7),
        assigned(tracked, (mask[:2], [0]), 7),
    ]
