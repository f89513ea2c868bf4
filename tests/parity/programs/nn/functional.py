"""torch.nn.functional: softmax, losses, dropout, one_hot."""

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown


def softmaxes(torch):
    forms = [
        "x, 1",
        "x, 0",
        "x, dim=-1",
        "n, 1",
        "k, 1",
        "k, 0",
        "k, -1",
        "s, 0",
        "z, 0",
        "z, 1",
        "h, 1",
        "d, 1",
    ]
    forms += [
        "x, 2",
        "x",
        "w",
        "k",
        "i, 1",
        "b, 1",
        "i, 1, dtype=torch.float32",
        "x, 1, dtype=torch.float64",
    ]
    forms += ["h, 1, dtype=torch.float32", "x * 50, 1", "nan, 0", "i, 0, dtype=torch.float64"]
    names = ["torch.softmax", "torch.log_softmax", "F.softmax", "F.log_softmax"]
    more = lines("""
        x.softmax(1)
        x.log_softmax(-1)
        x.softmax(dim=0, dtype=torch.float64)
        F.softmax(input=x, dim=1)
        F.softmax(x, 1, 5)
        F.softmax(x, 1, 3, torch.float64)
        F.log_softmax(x, 1, _stacklevel=5)
        F.softmin(x, 1)
        torch.softmax(input=x, dim=1)
        torch.nn.functional.softmax(x.unsqueeze(0))
    """)
    cases = [f"{name}({form})" for name in names for form in forms]
    # Python's words for a missing argument differ, and sums that nearly vanish in their digits.
    left_out = {f"torch.{f}({a})" for f in ("softmax", "log_softmax") for a in ("x", "w", "k")}
    left_out |= {f"{name}({form})" for name in names for form in ("d, 1", "h, 1")}
    left_out |= {f"{name}({form})" for name in names[::2] for form in ("k, 1", "k, -1")}
    return observed(torch, [each for each in cases if each not in left_out] + more)


def losses_of_numbers(torch):
    names = ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"]
    forms = [
        "x, p",
        "x, p, reduction='sum'",
        "x, p, reduction='none'",
        "x, w",
        "x, w, reduction='none'",
        "x, torch.zeros(2)",
    ]
    forms += [
        "s, s * 2",
        "z, z * 1",
        "d, d * 2",
        "h, h * 2",
        "x, d",
        "i, i",
        "x, p, reduction='other'",
        "x, i",
    ]
    forms += ["input=x, target=p", "x, p.detach()", "x.detach(), p", "t, t * 1"]
    more = lines("""
        F.mse_loss(x, p, size_average=False)
        F.mse_loss(x, p, reduce=False)
        F.mse_loss(x, p, weight=p)
        F.mse_loss(x, p, reduction='sum', weight=p)
        F.mse_loss(x, p, weight=w)
        F.l1_loss(x, p, weight=p)
        F.smooth_l1_loss(x, p, beta=0.5)
        F.smooth_l1_loss(x, p, beta=0.0)
        F.smooth_l1_loss(x, p, beta=-1.0)
        F.huber_loss(x, p, delta=0.5)
        F.huber_loss(x, p, 'sum', 2.0)
        F.huber_loss(x, p, delta=0.0)
    """)
    cases = [f"F.{name}({form})" for name in names for form in forms]
    left_out = {f"F.huber_loss({form})" for form in ("x, d", "x, i", "i, i")}
    left_out.add("F.smooth_l1_loss(i, i)")
    return observed(torch, [each for each in cases if each not in left_out] + more)


def losses_of_classes(torch):
    return observed(
        torch,
        lines("""
        F.nll_loss(x, grid[:, 1])
        F.nll_loss(x, grid[:, 1], w.detach())
        F.nll_loss(x, grid[:, 1], w)
        F.nll_loss(x, grid[:, 1], reduction='sum')
        F.nll_loss(x, grid[:, 1], reduction='none')
        F.nll_loss(x, grid[:, 1], ignore_index=0)
        F.nll_loss(x, grid[:, 1] * 0, ignore_index=0)
        F.nll_loss(w, torch.tensor(1))
        F.nll_loss(x, at)
        F.nll_loss(x, grid[:, 1] + 2)
        F.nll_loss(x, x[:, 0])
        F.nll_loss(x, i)
        F.nll_loss(s, at)
        F.nll_loss(k, grid)
        F.nll_loss(k, grid, reduction='none')
        F.nll_loss(k, i)
        F.nll_loss(k[..., None], grid[..., None])
        F.nll_loss(k[..., None], grid)
        F.nll_loss(x, grid[:, 1].int())
        F.nll_loss(x, grid[:, 1], w[:2])
        F.nll_loss(z, grid[:0, 1])
        F.nll_loss(x, grid[:, 1], reduction='other')
        F.cross_entropy(x, grid[:, 1])
        F.cross_entropy(x, grid[:, 1], w.detach())
        F.cross_entropy(x.detach(), grid[:, 1], weight=w.detach(), label_smoothing=0.1)
        F.cross_entropy(x, grid[:, 1], reduction='sum')
        F.cross_entropy(x, grid[:, 1], reduction='none')
        F.cross_entropy(x.detach(), grid[:, 1], reduction='none', label_smoothing=0.5)
        F.cross_entropy(x.detach(), grid[:, 1], reduction='sum', label_smoothing=0.5)
        F.cross_entropy(x, grid[:, 1], ignore_index=0)
        F.cross_entropy(x.detach(), grid[:, 1], ignore_index=0, label_smoothing=0.2)
        F.cross_entropy(x, grid[:, 1] * 0, ignore_index=0)
        F.cross_entropy(input=x, target=grid[:, 1])
        F.cross_entropy(w, torch.tensor(1))
        F.cross_entropy(w, torch.tensor(1), reduction='none')
        F.cross_entropy(w.detach(), torch.tensor(1), label_smoothing=0.1)
        F.cross_entropy(w.detach(), w.softmax(0).detach())
        F.cross_entropy(x.detach(), p.detach().softmax(1))
        F.cross_entropy(x.detach(), p.softmax(1).detach())
        F.cross_entropy(x.detach(), p.detach(), w.detach())
        F.cross_entropy(x, p.detach(), w.detach(), reduction='none')
        F.cross_entropy(x, p.detach(), reduction='sum', label_smoothing=0.1)
        F.cross_entropy(x, p.detach(), reduction='none')
        F.cross_entropy(x, p.detach(), ignore_index=1)
        F.cross_entropy(x, i)
        F.cross_entropy(x, at)
        F.cross_entropy(x, grid[:, 1] + 2)
        F.cross_entropy(k, grid)
        F.cross_entropy(k, grid, reduction='none')
        F.cross_entropy(k.detach(), k.detach().softmax(1))
        F.cross_entropy(k[..., None], grid[..., None])
        F.cross_entropy(d, grid[:, 1])
        F.cross_entropy(h, grid[:, 1])
        F.cross_entropy(x, grid[:, 1], label_smoothing=2)
        F.cross_entropy(x, grid[:, 1], reduction='other')
        F.cross_entropy(i, grid[:, 1])
        F.cross_entropy(s, grid[:, 1])
        F.cross_entropy(z, grid[:0, 1])
        F.cross_entropy(x, grid[:, 1].double())
        F.cross_entropy(x, grid[:, 1], size_average=False)
    """),
    )


def losses_of_two_classes(torch):
    return observed(
        torch,
        lines("""
        F.binary_cross_entropy(x.sigmoid(), b.float())
        F.binary_cross_entropy(x.detach().sigmoid(), p.detach().sigmoid())
        F.binary_cross_entropy(x.sigmoid(), b.float(), reduction='sum')
        F.binary_cross_entropy(x.sigmoid(), b.float(), reduction='none')
        F.binary_cross_entropy(x.detach().sigmoid(), b.float(), weight=w.detach())
        F.binary_cross_entropy(x.sigmoid(), b.float()[0])
        F.binary_cross_entropy(x, b.float())
        F.binary_cross_entropy(b.float(), b.float())
        F.binary_cross_entropy(x.sigmoid(), d.sigmoid())
        F.binary_cross_entropy(x.sigmoid(), b)
        F.binary_cross_entropy_with_logits(x, b.float())
        F.binary_cross_entropy_with_logits(x, p.sigmoid())
        F.binary_cross_entropy_with_logits(x, b.float(), reduction='sum')
        F.binary_cross_entropy_with_logits(x, b.float(), reduction='none')
        F.binary_cross_entropy_with_logits(x, b.float(), weight=p.detach())
        F.binary_cross_entropy_with_logits(x, b.float(), pos_weight=w.detach())
        F.binary_cross_entropy_with_logits(x, b.float()[0])
        F.binary_cross_entropy_with_logits(x * 100, b.float())
    """),
    )


def other_functions(torch):
    return observed(
        torch,
        lines("""
        F.dropout(x, 0.5, False)
        F.dropout(x, 0.5, training=False)
        F.dropout(x, 0.0)
        F.dropout(x, 1.0)
        F.dropout(x, 1.5)
        F.dropout(x, -0.1)
        F.dropout(x, p=0.5).shape
        F.one_hot(at)
        F.one_hot(at, 4)
        F.one_hot(at, num_classes=2)
        F.one_hot(grid)
        F.one_hot(at - 1)
        F.one_hot(x)
        F.one_hot(at[:0])
        F.one_hot(at[:0], 3)
        F.one_hot(at.int())
        F.one_hot(torch.tensor(1), 3)
        F.selu(x)
        F.celu(x)
        F.relu(x, inplace=False)
        F.sigmoid(i)
        F.tanh(b)
    """),
    )


def chance_and_smoothing(torch):
    return shown(
        torch,
        """
        seeded = torch.manual_seed(0)
        F = torch.nn.functional
        F.dropout(torch.ones(4), 1.0)
        F.dropout(torch.ones(4, requires_grad=True), 1.0, inplace=False)
        torch.rand(2)
        x = torch.arange(6.0).view(2, 3)
        F.cross_entropy(x, torch.tensor([0, 2]), label_smoothing=-1.0)
        F.cross_entropy(x, torch.ones(2, 3) / 3, label_smoothing=-1.0)
        """,
    )


def functions_of_layers(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        x = torch.ones(3, 2)
        F.batch_norm(x, torch.zeros(3), torch.ones(2))
        F.batch_norm(x, torch.zeros(2), torch.ones(3))
        F.batch_norm(x, None, None, training=True, weight=torch.ones(3))
        F.batch_norm(x, None, None, training=True, bias=torch.ones(3))
        F.batch_norm(x[0], torch.zeros(3), torch.ones(3))
        F.batch_norm(x[0], None, None, training=True)
        F.batch_norm(x[:1, 0], None, None, training=True)
        F.batch_norm(x[0, 0], None, None, training=True)
        F.batch_norm(torch.ones(3, 0), None, None, training=True)
        F.batch_norm(torch.ones(0, 3), None, None, training=True)
        F.layer_norm(torch.ones(2, 0), (0,))
        F.linear(x, None)
        F.linear(x, 3)
        F.softmax(x, 1.0)
        F.softmax(x, dim='a')
        F.log_softmax(x, dim=1.0)
        F.softmin(x, True)
        F.softmax(3, 0)
        F.softmax(x, 1, dtype=torch.float64)
        x.size(True)
        x.stride(True)
        torch.eye(True)
        """,
    )


def in_dtypes_that_kernels_refuse(torch):
    return shown(
        torch,
        """
        nn = torch.nn.functional
        torch.trace(torch.ones(2, 2, dtype=torch.bool))
        nn.nll_loss(torch.ones(2, 2, 2), t([[0, 1], [1, 0]]).byte())
        nn.hardtanh(t([1, 2, -3])), nn.hardtanh(t([1, 2, -3]), -0.5, 1.5), nn.relu6(t([1, -3, 8]))
        nn.hardtanh(t([1, 2]).byte())
        nn.hardtanh(t([True]))
        nn.smooth_l1_loss(t([1, 2]), t([2, 2]))
        nn.huber_loss(t([True]), t([True]))
        nn.smooth_l1_loss(t([1.0]), t([True])), nn.huber_loss(t([0.5]), t([True]))
        nn.mse_loss(t([True]), t([True]))
        torch.cumprod(t([1, 2]), 0, dtype=torch.bool)
        torch.cumprod(t([1.5, 2.0]), 0, dtype=torch.int32)
        torch.cumprod(t([1.5, 2.0], requires_grad=True), 0, dtype=torch.int32)
        """,
    )


def arguments_given_on_by_place(torch):
    return observed(
        torch,
        lines("""
        F.elu()
        F.elu(3)
        F.elu(input=3, inplace=True)
        F.elu(x, alpha=None)
        F.elu(x, "a", True)
        F.elu(x, 1, True, 3)
        F.elu(x, foo=3)
        F.celu(x, None)
        F.celu(x, 0)
        F.selu([1.0], True)
        F.leaky_relu(input=x, negative_slope="a")
        F.silu(3, True)
        F.silu(x * 1, inplace=3)
        F.mish(None)
        F.relu6(i)
        F.hardtanh(x, -1, torch.tensor([2.0]))
        F.layer_norm()
        F.layer_norm(x)
        F.layer_norm(None, (3,))
        F.layer_norm(x, normalized_shape=3)
        F.layer_norm(x, (3,), weight="a")
        F.layer_norm(x, (3,), eps="a")
        F.layer_norm(x, (3,), foo=1)
        F.batch_norm(x)
        F.pad(x)
        F.pad(input=x, pad=1)
        F.pad(x, pad=(1.0, 1))
        F.pad(x, (1, 1), value="a")
        F.one_hot(input=at)
        F.one_hot(tensor=at)
        F.one_hot()
        F.one_hot(at, num_classes=1.5)
        F.one_hot(at, 3, 4)
        """),
    )


def wrong_kinds_to_be_changed(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.ones(2)
        F.relu(None, True)
        F.elu(3, inplace=True)
        F.leaky_relu(3, 0.5, True)
        F.hardtanh(3, inplace=True)
        F.relu6(3, inplace=False)
        torch.nn.SiLU(True)(3)
        F.dropout(3, inplace=True)
        F.dropout(x, training=1)
        F.dropout(x, training=None, inplace=True)
        F.dropout(x, p=None)
        F.softmax(3)
        torch.nn.LogSoftmax()(None)
        """,
    )
