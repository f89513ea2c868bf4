"""Losses of two tensors of one size: absolute, smooth, Huber's, and binary cross-entropies."""

from tests.parity.harness import node_names, outcome
from tests.parity.sessions import shown

_LOSSES = (
    "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
)  # fmt: skip


def _pair(torch, dtype=None):
    x = torch.tensor([0.25, 0.5, 0.75, 0.125], dtype=dtype or torch.float64)
    y = torch.tensor([0.5, 0.5, 0.0, 1.0], dtype=dtype or torch.float64)
    return x.requires_grad_(), y.requires_grad_()


def _rounded(tensor):
    return [round(value, 10) for value in tensor.detach().flatten().tolist()]


def _each(torch, see, **options):
    functional = torch.nn.functional
    return {name: see(getattr(functional, name), **options) for name in _LOSSES}


def values_and_gradients(torch):
    def see(loss, **options):
        x, y = _pair(torch)
        value = loss(x, y, **options)
        value.sum().backward()
        return _rounded(value), _rounded(x.grad), _rounded(y.grad), node_names(value.grad_fn)

    return [_each(torch, see, reduction=each) for each in ("mean", "sum", "none")]


def second_gradients(torch):
    def see(loss):
        x, y = _pair(torch)
        (grad,) = torch.autograd.grad(loss(x, y), x, create_graph=True)
        seconds = torch.autograd.grad((grad * grad).sum(), (x, y))
        return [[round(value, 6) for value in each.tolist()] for each in (grad, *seconds)]

    functional = torch.nn.functional
    return {name: see(getattr(functional, name)) for name in _LOSSES[1:]}


def in_float32(torch):
    def see(loss):
        value = loss(*_pair(torch, torch.float32))
        return str(value.dtype), round(value.item(), 5)

    return _each(torch, see)


def thresholds(torch):
    functional = torch.nn.functional
    x, y = _pair(torch)
    return [
        _rounded(functional.smooth_l1_loss(x, y, beta=0.25, reduction="none")),
        _rounded(functional.huber_loss(x, y, delta=0.25, reduction="none")),
        node_names(functional.smooth_l1_loss(x, y, beta=0.0).grad_fn),
        outcome(lambda: functional.smooth_l1_loss(x, y, beta=-1.0)),
        outcome(lambda: functional.huber_loss(x, y, delta=0.0)),
    ]


def weights(torch):
    functional = torch.nn.functional
    weight = torch.tensor([1.0, 2.0, 0.5, 0.0], dtype=torch.float64)
    seen = []
    for loss, options in (
        (functional.binary_cross_entropy, {"weight": weight}),
        (functional.binary_cross_entropy_with_logits, {"weight": weight}),
        (functional.binary_cross_entropy_with_logits, {"pos_weight": weight}),
    ):
        x, y = _pair(torch)
        value = loss(x, y, **options)
        value.backward()
        seen.append([_rounded(value), _rounded(x.grad), _rounded(y.grad)])
    return seen


def certain_probabilities(torch):
    x = torch.tensor([0.0, 1.0, 0.0, 1.0], requires_grad=True)
    y = torch.tensor([0.0, 1.0, 1.0, 0.0])
    loss = torch.nn.functional.binary_cross_entropy(x, y, reduction="none")
    loss.sum().backward()
    return loss, x.grad


def large_scores(torch):
    x = torch.tensor([-200.0, 200.0, -200.0, 200.0], requires_grad=True)
    y = torch.tensor([0.0, 1.0, 1.0, 0.0])
    loss = torch.nn.functional.binary_cross_entropy_with_logits(x, y, reduction="none")
    loss.sum().backward()
    return loss, x.grad


def refusals(torch):
    functional, ones = torch.nn.functional, torch.ones(3)
    cross, with_logits = (
        functional.binary_cross_entropy,
        functional.binary_cross_entropy_with_logits,
    )
    return [
        outcome(lambda: cross(ones * 2, ones)),
        outcome(lambda: cross(ones, ones * 2)),
        outcome(lambda: cross(ones, torch.ones(2))),
        outcome(lambda: cross(ones, ones.double())),
        outcome(lambda: with_logits(ones, torch.ones(2))),
        outcome(lambda: functional.l1_loss(ones, ones, reduction="most")),
        outcome(lambda: functional.l1_loss(ones, torch.ones(1))),
        outcome(lambda: functional.smooth_l1_loss(ones, torch.ones(1))),
        outcome(lambda: functional.huber_loss(ones, torch.ones(1))),
    ]


def as_modules(torch):
    nn = torch.nn
    x, y = _pair(torch)
    weight = torch.tensor([1.0, 2.0, 0.5, 0.0], dtype=torch.float64)
    losses = [
        nn.L1Loss(reduction="sum"), nn.SmoothL1Loss(beta=0.5), nn.HuberLoss(delta=0.5),
        nn.BCELoss(), nn.BCELoss(weight), nn.BCEWithLogitsLoss(reduction="none"),
        nn.BCEWithLogitsLoss(pos_weight=weight),
    ]  # fmt: skip
    return [[repr(loss), _rounded(loss(x, y)), list(loss.state_dict())] for loss in losses]


def nll_as_a_module(torch):
    scores = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, 0.25]]).log_softmax(1).requires_grad_()
    targets = torch.tensor([2, 0])
    loss = torch.nn.NLLLoss(weight=torch.tensor([1.0, 2.0, 0.5]), ignore_index=1)
    value = loss(scores, targets)
    value.backward()
    return round(value.item(), 5), scores.grad, list(loss.state_dict()), repr(loss)


def weights_of_elements(torch):
    functional = torch.nn.functional
    x, y = torch.tensor([0.5, -2.0, 3.0]), torch.tensor([1.0, 1.0, -1.0])
    weight = torch.tensor([1.0, 3.0, 0.5])
    return {
        f"{name} {reduction}": outcome(
            lambda n=name, r=reduction: getattr(functional, n)(x, y, weight=weight, reduction=r)
        )
        for name in ("mse_loss", "l1_loss", "huber_loss")
        for reduction in ("mean", "sum", "none", "median")
    } | {
        f"{name} of another shape": outcome(
            lambda n=name: getattr(functional, n)(x, y, weight=torch.ones(1))
        )
        for name in ("mse_loss", "l1_loss", "huber_loss")
    }


def whole_numbers_have_no_loss(torch):
    def see(loss):
        pairs = [torch.tensor([1, 0]), torch.tensor([True, False]), torch.tensor([1, 1]).byte()]
        return [outcome(lambda each=each: loss(each, each)) for each in pairs]

    return [_each(torch, see), see(torch.nn.functional.mse_loss)]


def sizes_are_looked_at_before_old_arguments(torch):
    """And unknown reductions of cross-entropies before sizes."""
    x, y, functional = torch.ones(2, 3), torch.ones(2, 2), torch.nn.functional
    losses = functional.mse_loss, functional.l1_loss, functional.smooth_l1_loss
    return [
        [outcome(lambda loss=loss: loss(x, y[:1, :1], size_average=False)) for loss in losses],
        [outcome(lambda loss=loss: loss(x, y, reduce=False)) for loss in losses],
        _each(torch, lambda loss: outcome(lambda: loss(x, y, reduction="middle"))),
    ]


def of_other_dtypes(torch):
    """Truth values and whole numbers on one side, and which zero a gradient is."""
    functional, seen = torch.nn.functional, {}
    for name in ("l1_loss", "smooth_l1_loss", "huber_loss", "mse_loss", "cosine_similarity"):
        for dtype in (torch.bool, torch.uint8, torch.int64, torch.float64):
            x = torch.tensor([[1.0, 1.0, 0.0]], requires_grad=True)
            y = torch.tensor([[1.0, 0.0, 1.0]]).to(dtype)
            for pair in ((x, y), (y, x), (y, y)):
                loss = outcome(lambda: getattr(functional, name)(*pair))  # noqa: B023
                grad = outcome(lambda: _reciprocal_gradient(torch, name, x, pair))  # noqa: B023
                seen[f"{name} {dtype} {len(seen)}"] = loss, grad
    return seen


def _reciprocal_gradient(torch, name, x, pair):
    z = getattr(torch.nn.functional, name)(*pair)
    if name == "cosine_similarity":
        return None
    return 1 / torch.autograd.grad(z, x)[0]


def weights_that_would_learn(torch):
    return shown(
        torch,
        """
        F, x, y = torch.nn.functional, t([0.25, 0.5], requires_grad=True), t([0.0, 1.0])
        w = t([1.0, 2.0], requires_grad=True)
        F.binary_cross_entropy(x, y, weight=w)
        F.binary_cross_entropy_with_logits(x, y, weight=w)
        F.binary_cross_entropy_with_logits(x, y, pos_weight=w)
        torch.nn.BCEWithLogitsLoss(pos_weight=torch.nn.Parameter(t(2.0)))(x, y)
        F.binary_cross_entropy_with_logits(x, y, pos_weight=w.detach())
        torch.set_grad_enabled(False) and None
        F.binary_cross_entropy(x, y, weight=w)
        """,
    )


def targets_that_would_learn_at_the_bounds(torch):
    x = torch.tensor([0.0, 1.0, 0.5], requires_grad=True)
    y = torch.tensor([0.0, 1.0, 1.0], requires_grad=True)
    loss = torch.nn.functional.binary_cross_entropy(x, y, reduction="none")
    return loss, torch.autograd.grad(loss.sum(), y)


def targets_of_other_dtypes(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, t([0.25, -0.5], requires_grad=True)
        F.binary_cross_entropy_with_logits(x, t([0, 1]))
        F.binary_cross_entropy_with_logits(x, t([False, True]))
        F.binary_cross_entropy_with_logits(x, t([0.0, 1.0], dtype=torch.float64))
        F.binary_cross_entropy_with_logits(x.double(), t([0.0, 1.0]), reduction='sum')
        F.huber_loss(x, t([0, 1]))
        F.huber_loss(x, t([0, 1])).backward()
        F.huber_loss(x, t([0.0, 1.0], dtype=torch.float64))
        F.huber_loss(x, t([0.0, 1.0], dtype=torch.float64)).backward()
        """,
    )


def weights_of_other_shapes(torch):
    return shown(
        torch,
        """
        F, x, w = torch.nn.functional, t([[0.25, 0.5], [0.5, 0.75]]), torch.ones(3)
        F.cross_entropy(x, x.softmax(1), weight=w)
        F.cross_entropy(x, x.softmax(1), weight=w[:1], label_smoothing=0.1)
        F.cross_entropy(x, x.softmax(1), weight=torch.ones(2, 1))
        F.cross_entropy(x, t([0, 1]), weight=w)
        F.binary_cross_entropy(x, x, weight=w)
        F.binary_cross_entropy(x, x, weight=torch.ones(3, 2, 2))
        F.binary_cross_entropy(x, x, weight=t([[1.0], [2.0]]), reduction='none')
        F.binary_cross_entropy_with_logits(x, x, weight=w)
        F.binary_cross_entropy_with_logits(x, x, weight=torch.ones(3, 2, 2))
        F.binary_cross_entropy_with_logits(x, x, pos_weight=torch.ones(3, 2, 2))
        torch.broadcast_shapes(x.shape, w.shape)
        torch.broadcast_shapes([2, 2], [3])
        """,
    )


def second_gradients_at_kinks_and_bounds(torch):
    nn = torch.nn.functional
    nan, inf = float("nan"), float("inf")

    def second(loss, values):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        (gradient,) = torch.autograd.grad(loss(x), x, create_graph=True)
        # With as few digits as PyTorch's own rounding leaves.
        return [round(each, 6) if each < 1e9 else f"{each:.8e}"
                for each in torch.autograd.grad(gradient.sum(), x)[0].tolist()]  # fmt: skip

    about = [nan, 0.5, 2.0, 1.0, -1.0, inf, 0.0]
    zeros = torch.zeros(7, dtype=torch.float64)
    of_bce = []
    for y in (0.0, 1.0, 0.25):
        target = torch.tensor([y] * 3, dtype=torch.float64)
        cross_entropy = lambda x, y=target: nn.binary_cross_entropy(x, y, reduction="sum")  # noqa: E731
        of_bce.append(second(cross_entropy, [0.0, 1.0, 0.3]))
    return [
        str(second(lambda x: nn.smooth_l1_loss(x, zeros, reduction="sum"), about)),
        str(second(lambda x: nn.huber_loss(x, zeros, reduction="sum", delta=1.0), about)),
        str(of_bce),
    ]


def nll_of_pixels_in_other_orders(torch):
    functional, seen = torch.nn.functional, []
    for loss in (functional.nll_loss, functional.cross_entropy):
        for order in ((0, 3, 1, 2), (0, 1, 3, 2), (0, 1, 2, 3), (1, 0, 2, 3)):
            scores = torch.arange(48.0).reshape(2, 3, 2, 4).permute(order).detach()
            target = torch.zeros(scores.shape[0], *scores.shape[2:], dtype=torch.long)
            x = scores.requires_grad_()
            seen.append(outcome(lambda loss=loss, x=x, t=target: [loss(x, t).backward(), x.grad]))
    rows = torch.arange(24.0).reshape(2, 4, 3).transpose(1, 2).detach().requires_grad_()
    made = functional.nll_loss(rows, torch.zeros(2, 4, dtype=torch.long))
    return seen, node_names(made.grad_fn), torch.autograd.grad(made, rows)
