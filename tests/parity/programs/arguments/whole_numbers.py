"""Truth values and fractions where whole numbers are wanted: PyTorch takes neither."""

from tests.parity.sessions import shown


def dimensions(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        x.unsqueeze(True)
        x.transpose(False, True)
        x.permute(True, False)
        x.squeeze(1.0)
        x.flatten(False)
        x.unflatten(0.0, (1, 2))
        x.unbind(True)
        x.gather(True, torch.zeros(1, 1).long())
        x.sum(True)
        x.sum(0, True)
        x.var(True)
        x.cumsum(True, 0)
        x.argsort(True)
        x.softmax(1.0)
        x.take_along_dim(torch.zeros(1, 1).long(), 1.0)
        torch.stack([x], True)
        torch.nn.Flatten(1.0)(x)
        """,
    )


def sizes_and_places(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        x.view(True, 4)
        x.reshape(True, 4)
        x.repeat(True, True)
        x.flip(True)
        x.roll(True, 0)
        x.roll(1.0, 0)
        x.chunk(True)
        x.select(0, 1.0)
        x.select(False, True)
        x.narrow(0, 0.0, 1)
        x.narrow(0, True, True)
        x.tril(1.0)
        x.triu(True)
        x.diagonal(True)
        x.kthvalue(1.0)
        x.kthvalue(True)
        x.topk(True)
        x.round(decimals=1.0)
        x.round(decimals=True)
        x.repeat_interleave(2.0)
        x.repeat_interleave(True)
        torch.nn.functional.one_hot(torch.tensor([1]), 2.0)
        torch.nn.functional.cross_entropy(x, torch.zeros(2).long(), ignore_index=1.0)
        """,
    )


def one_after_the_other(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        torch.flip(x, 0)
        torch.tile(x, 2)
        torch.permute(x, 1, 0)
        torch.broadcast_to(x, 3, 2)
        torch.flip(x, (0,)), x.flip(0, 1), x.permute(1, 0)
        torch.var(x, 1, True), torch.roll(x, 1, 0)
        """,
    )


def integers_of_other_kinds(torch):
    """NumPy's integers, and tensors of no dimensions, stand for Python's."""
    calls = """
        x.sum({0}), x.mean({0}), x.prod({0}), x.amax({0}), x.var({0}), x.std(({0},)), x.any({0})
        x.all({0}), x.logsumexp({0}), x.max({0})[0], x.argmin({0}), x.cumsum({0}), x.softmax({0})
        x.sort({0})[1], x.topk(1, {0})[0], x.unbind({0})[0], x.select({0}, 0), x.select(0, {0})
        x.chunk({0})[0], x.chunk(2, {0})[1], x.narrow({0}, 0, 1), x.narrow(0, 0, {0})
        x.roll({0}), x.roll(1, {0}), x.movedim({0}, 0), x.transpose({0}, 0), x.unsqueeze({0})
        x.flatten({0}), x.view({0}, -1), x.reshape(-1, {0}), x.repeat({0}, 2), x.split({0})[1]
        x.tril({0}), x.flip({0}), x[{0}], x[:{0}], x.index_select({0}, t([0]))
        torch.zeros({0}, 2), torch.full(({0},), 2.5), torch.arange({0}), torch.eye({0})
        torch.cat([x, x], {0}), torch.stack([x, x], {0}), torch.rand({0}).shape
        torch.nn.functional.log_softmax(x, {0}), x + {0}, x**{0}, x / {0}
        x.tensor_split({0}), x.tensor_split(3, {0}), x.hsplit({0}), x.vsplit({0}), x.triu({0})
        torch.nn.functional.one_hot(t([0]), {0}), torch.nn.functional.pad(x, ({0}, -{0}))
        torch.nn.functional.cross_entropy(x, t([0, 1]), ignore_index={0})
        torch.nn.functional.nll_loss(x, t([0, 1]), ignore_index={0})
        x.long().random_({0}), x.long().random_(0, {0}), torch.randperm({0})
    """
    given = [f"np.{kind}(1)" for kind in ("int64", "int32", "int8")] + ["t(1)"]
    x = "x = t([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]])"
    return [shown(torch, f"{x}\n{calls.format(number)}") for number in given]


def ranges_by_other_names(torch):
    return shown(torch, "torch.ones(2).uniform_(low=0)\ntorch.ones(2).uniform_(a=0, b=1)")


def bytes_do_not_wrap_around(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        torch.nn.functional.pad(x, (np.uint8(1), 0))
        x.tril(np.uint8(1)), x.triu(np.uint8(1))
        """,
    )


def truths_and_fractions_in_more_places(torch):
    return shown(
        torch,
        """
        x, two = torch.ones(2, 2), t([0, 1])
        x.tensor_split(True)
        x.tensor_split(1.0)
        x.hsplit(True)
        x.vsplit(1.0)
        torch.nn.functional.one_hot(two, True)
        torch.nn.functional.one_hot(two, t(2.0))
        torch.nn.functional.nll_loss(x, two, ignore_index=1.0)
        torch.nn.functional.cross_entropy(x, two, ignore_index=t([0, 1]))
        torch.nn.LayerNorm(np.int64(2))(x).shape
        torch.isclose(x, x, equal_nan=1)
        torch.allclose(x, x, equal_nan=None)
        torch.isin(x, x, invert=1)
        torch.isin(x, x, assume_unique=None)
        """,
    )
