"""softmax, log_softmax and the losses: values, gradients, graphs, warnings and errors."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome, warned
from tests.parity.sessions import shown

_SCORES = [[1.0, -1.0, 0.5], [0.25, 2.0, -0.75]]
_PROBABILITIES = [[0.25, 0.5, 0.25], [0.0, 0.125, 0.875]]


def _scores(torch, data=_SCORES):
    return torch.tensor(data, requires_grad=True)


def _exact_scores(torch):
    # PyTorch's float32 kernels take exponentials that are several units off in the last place.
    return torch.tensor(_SCORES, dtype=torch.float64, requires_grad=True)


def _rounded(tensor):
    return [round(value, 12) for value in tensor.detach().reshape(-1).tolist()]


def _volume(torch, *shape):
    count = 1
    for length in shape:
        count *= length
    return (torch.arange(count) % 7 / 4 - 0.75).view(*shape).requires_grad_()


def softmax(torch):
    x = _exact_scores(torch)
    z = x.softmax(1)
    (z * z).sum().backward()
    seen = [z, torch.softmax(x, 0), _scores(torch).softmax(-1, dtype=torch.float64), x.grad]
    return [[_rounded(each) for each in seen], graph(z.grad_fn), str(z.dtype)]


def softmax_of_a_number(torch):
    x = torch.tensor(3.0, requires_grad=True)
    return [x.softmax(0), x.log_softmax(-1)]


def softmax_does_not_overflow(torch):
    x = torch.tensor([1000.0, 0.0, -1000.0])
    return [x.softmax(0), x.log_softmax(0), torch.tensor([float("inf"), 1.0]).softmax(0)]


def log_softmax(torch):
    x = _exact_scores(torch)
    z = torch.log_softmax(x, 1)
    (z * z).sum().backward()
    return [_rounded(z), _rounded(x.grad), graph(z.grad_fn), _scores(torch).log_softmax(0)]


def softmax_errors(torch):
    x = _scores(torch)
    whole = torch.tensor([[1, 2], [3, 4]])
    return [
        outcome(lambda: x.softmax(2)),
        outcome(lambda: whole.softmax(1)),
        outcome(lambda: whole.softmax(0)),
        outcome(lambda: whole.log_softmax(-1)),
    ]


def implicit_dim_warns(torch):
    functional = torch.nn.functional
    x = _scores(torch)
    return [
        warned(lambda: functional.softmax(x)),
        warned(lambda: functional.log_softmax(x)),
        functional.softmax(x, dim=1),
    ]


def changed_softmax_is_noticed(torch):
    z = _scores(torch).softmax(1)
    z.mul_(2)
    return outcome(lambda: z.sum().backward())


def mse_loss(torch):
    seen = []
    for reduction in ("mean", "sum", "none"):
        x, y = _scores(torch), torch.tensor(_PROBABILITIES, requires_grad=True)
        loss = torch.nn.functional.mse_loss(x, y, reduction=reduction)
        loss.sum().backward()
        seen.append([loss, x.grad, y.grad, graph(loss.grad_fn)])
    return seen


def mse_loss_of_one_that_learns(torch):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 4.0], requires_grad=True)
    loss = torch.nn.MSELoss()(x, y)
    loss.backward()
    return [loss, y.grad, graph(loss.grad_fn)]


def mse_loss_differentiated_twice(torch):
    seen = []
    for reduction in ("mean", "sum", "none"):
        x, y = _scores(torch), torch.tensor(_PROBABILITIES, requires_grad=True)
        loss = torch.nn.functional.mse_loss(x, y, reduction=reduction)
        g = torch.full_like(loss, 2.0, requires_grad=True)
        slopes = torch.autograd.grad(loss, (x, y), g, create_graph=True)
        node = slopes[1].grad_fn
        kept = [node._saved_grad_output, node._saved_self, node._saved_target]
        twice = torch.autograd.grad((slopes[0] * slopes[0]).sum() + slopes[1].sum(), (g, x, y))
        seen.append([graph(node), kept, node._saved_reduction, slopes, twice])
    return seen


def mse_loss_broadcasts_with_a_warning(torch):
    x = torch.tensor([[1.0], [2.0]], requires_grad=True)
    y = torch.tensor([1.0, 3.0])
    return [
        warned(lambda: torch.nn.functional.mse_loss(x, y)),
        torch.nn.functional.mse_loss(x, y, reduction="none"),
    ]


def mse_loss_promotes(torch):
    x = torch.tensor([1.0, 2.0])
    return [
        torch.nn.functional.mse_loss(x, x.double() + 1),
        outcome(lambda: torch.nn.functional.mse_loss(torch.tensor([1]), torch.tensor([2]))),
        outcome(lambda: torch.nn.functional.mse_loss(x, x, reduction="median")),
    ]


def old_arguments_of_losses(torch):
    x, y = _scores(torch), torch.tensor(_PROBABILITIES)
    old = [
        torch.nn.MSELoss(size_average=False),
        torch.nn.MSELoss(reduce=False),
        torch.nn.CrossEntropyLoss(size_average=True),
    ]
    return [old[0](x, y), old[1](x, y), [loss.reduction for loss in old]]


def nll_loss(torch):
    weight = torch.tensor([1.0, 2.0, 0.5])
    seen = []
    for options in (
        {},
        {"reduction": "sum"},
        {"reduction": "none"},
        {"weight": weight},
        {"weight": weight, "reduction": "none"},
        {"ignore_index": 2},
    ):
        x = _scores(torch)
        loss = torch.nn.functional.nll_loss(x, torch.tensor([2, 0]), **options)
        loss.sum().backward()
        seen.append([loss, x.grad, graph(loss.grad_fn)])
    return seen


def nll_loss_of_images(torch):
    seen = []
    for shape in ((2, 3, 4), (2, 3, 2, 2), (1, 2, 2, 2, 2)):
        target = torch.arange(shape[0] * 4 * (2 if len(shape) == 5 else 1)) % shape[1]
        target = target.view(shape[0], *shape[2:])
        for reduction in ("mean", "none"):
            x = _volume(torch, *shape)
            loss = torch.nn.functional.nll_loss(x, target, reduction=reduction)
            loss.sum().backward()
            seen.append([loss, x.grad, graph(loss.grad_fn)])
    return seen


def nll_loss_when_all_is_ignored(torch):
    x = _scores(torch)
    loss = torch.nn.functional.nll_loss(x, torch.tensor([-100, -100]))
    loss.backward()
    return [loss, x.grad]


def nll_loss_errors(torch):
    nll = torch.nn.functional.nll_loss
    x, images = _scores(torch), _volume(torch, 2, 3, 4, 4)

    def whole(*shape):
        return torch.zeros(*shape, dtype=torch.int64)

    return [
        outcome(lambda: nll(x, torch.tensor([0, 3]))),
        outcome(lambda: nll(x, torch.tensor([0, -1]))),
        outcome(lambda: nll(x, whole(3))),
        outcome(lambda: nll(x, whole(2, 1))),
        outcome(lambda: nll(x, torch.tensor([0.0, 1.0]))),
        outcome(lambda: nll(x, whole(2).to(torch.int32))),
        outcome(lambda: nll(x, whole(2), torch.ones(2))),
        outcome(lambda: nll(x, whole(2), reduction="all")),
        outcome(lambda: nll(torch.tensor(1.0), torch.tensor(0))),
        outcome(lambda: nll(torch.ones(3), whole(5))),
        outcome(lambda: nll(_volume(torch, 2, 3, 4), whole(2, 5))),
        outcome(lambda: nll(images, whole(2, 4, 5))),
        outcome(lambda: nll(images, whole(2, 4))),
    ]


def cross_entropy(torch):
    seen = []
    for reduction in ("mean", "sum", "none"):
        x = _exact_scores(torch)
        loss = torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]), reduction=reduction)
        loss.sum().backward()
        seen.append([_rounded(loss), _rounded(x.grad), loss.shape, graph(loss.grad_fn)])
    return seen


def cross_entropy_of_one(torch):
    x = torch.tensor([0.5, -0.5, 1.0], requires_grad=True)
    loss = torch.nn.functional.cross_entropy(x, torch.tensor(1))
    loss.backward()
    return [loss, x.grad]


def cross_entropy_of_probabilities(torch):
    seen = []
    for options in (
        {"reduction": "sum"},
        {"reduction": "none"},
        {"weight": torch.ones(3, dtype=torch.float64) / 2},
    ):
        x = _exact_scores(torch)
        target = torch.tensor(_PROBABILITIES, dtype=torch.float64)
        loss = torch.nn.functional.cross_entropy(x, target, **options)
        loss.sum().backward()
        seen.append([_rounded(loss), _rounded(x.grad), loss.shape])
    return seen


def cross_entropy_smoothed(torch):
    x = _exact_scores(torch)
    target = torch.tensor([0, -100])
    loss = torch.nn.functional.cross_entropy(x, target, label_smoothing=0.25)
    loss.backward()
    return [_rounded(loss), _rounded(x.grad)]


def cross_entropy_errors(torch):
    loss = torch.nn.functional.cross_entropy
    x = _scores(torch)
    return [
        outcome(lambda: loss(x, torch.zeros(2, 3, dtype=torch.int64))),
        outcome(lambda: loss(x, torch.tensor([0, 1]), label_smoothing=2.0)),
        outcome(lambda: loss(x, torch.tensor(_PROBABILITIES), ignore_index=1)),
        outcome(lambda: loss(x, torch.zeros(2, 4))),
        outcome(lambda: loss(torch.tensor(1.0), torch.tensor(0))),
        outcome(lambda: loss(x, torch.tensor([0, 1]), reduction="all")),
    ]


def losses_as_modules(torch):
    nn = torch.nn
    x = _scores(torch)
    weighted = nn.CrossEntropyLoss(torch.tensor([1.0, 2.0, 0.5]), reduction="sum")
    return {
        "cross_entropy": weighted(x, torch.tensor([0, 1])),
        "mse": nn.MSELoss(reduction="none")(x, torch.tensor(_PROBABILITIES)),
        "repr": [repr(weighted), repr(nn.MSELoss())],
        "state": weighted.state_dict(),
        "buffers": [name for name, _ in weighted.named_buffers()],
        "unweighted": [nn.CrossEntropyLoss().weight, list(nn.CrossEntropyLoss().state_dict())],
    }


def old_arguments_of_any_kind(torch):
    functional, x, y = torch.nn.functional, torch.tensor([1.0, 3.0]), torch.zeros(2)
    old = (0, None), (1, 0), ("", None), (None, 0), (True, None), (2, 1), ((), ())
    return [
        [getattr(functional, name)(x, y, *each) for name in ("mse_loss", "l1_loss")] for each in old
    ] + [outcome(lambda: functional.mse_loss(x, y, x)), torch.nn.MSELoss(0).reduction]


def weights_that_sum_to_nothing(torch):
    functional, seen = torch.nn.functional, []
    for classes, weight in (
        ([0, 2], [0.0, 0.0, 0.0]),
        ([1, -100], [1.0, 0.0, 2.0]),
        ([-100, -100], [1.0, 1.0, 1.0]),
        ([-100, -100], None),
        ([-100, 1], None),
    ):
        for reduction in ("mean", "sum"):
            x = torch.tensor([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]], requires_grad=True)
            loss = functional.nll_loss(
                x,
                torch.tensor(classes),
                None if weight is None else torch.tensor(weight),
                reduction=reduction,
            )
            seen.append([loss, torch.autograd.grad(loss, x)[0]])
    return seen


def what_is_wrong_with_targets_comes_before_weights(torch):
    """In the order in which PyTorch looks."""

    def told(x, target, weight):
        weights = {
            "double": torch.ones(weight, dtype=torch.float64),
            "learnt": torch.ones(weight, requires_grad=True),
            "other": torch.ones(weight + 1),
        }
        loss = torch.nn.functional.nll_loss
        return {key: outcome(lambda w=w: loss(x, target, w)) for key, w in weights.items()}

    x, scores = torch.ones(2, 3), torch.ones(2, 3, 2)
    return [
        told(x[0], torch.tensor([1, 2]), 3),
        told(x, torch.tensor([1, 2, 0]), 3),
        told(x, torch.tensor([[1], [2]]), 3),
        told(x, torch.tensor([1, 2], dtype=torch.int32), 3),
        told(x.long(), torch.tensor([1, 2]), 3),
        told(x[0, 0], torch.tensor(0), 3),
        told(scores, torch.tensor([1, 2]), 3),
        told(scores, torch.tensor([[1, 2], [0, 0]]), 3),
        told(scores.long(), torch.tensor([[1, 2], [0, 0]]), 3),
        told(scores[..., None], torch.tensor([[1, 2], [0, 0]]), 3),
        told(scores[..., None], torch.tensor([[[1], [2]], [[0], [0]]]), 3),
    ]


def a_lone_row_with_a_list_of_one_target(torch):
    """It has a loss, and no gradient."""
    functional, seen = torch.nn.functional, []
    for reduction in ("mean", "sum", "none"):
        x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
        for loss in (functional.nll_loss, functional.cross_entropy):
            z = loss(x, torch.tensor([2]), reduction=reduction)
            kept = outcome(lambda z=z: z.grad_fn._saved_target)
            seen.append([z, kept, outcome(z.backward)])
    return seen


def losses_of_nothing(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.zeros(0, 3, requires_grad=True)
        F.cross_entropy(x, torch.zeros(0, 3))
        F.cross_entropy(x, torch.zeros(0, 3), reduction='sum')
        F.cross_entropy(x, torch.zeros(0, 3), label_smoothing=0.1)
        F.cross_entropy(x, torch.zeros(0, dtype=torch.int64))
        """,
    )


def targets(torch):
    return shown(
        torch,
        """
        h, w = torch.full((3,), 0.1).half(), torch.full((3,), 1.6)
        torch.sum(h, 0, out=t(0.0)), torch.cumsum(h, 0, out=torch.zeros(3))
        torch.prod(w, 0, out=t(0)), torch.cumprod(w, 0, out=torch.zeros(3).double())
        torch.cumsum(w, 0, out=torch.zeros(3).bool())
        torch.sum(w, 0, out=3)
        a, i = torch.zeros(()), t(0)
        torch.median(w, 0, out=(a, i.int()))
        torch.median(w, 0, out=(a.double(), i.int()))
        torch.median(w, 0, out=(a.double(), i))
        torch.mode(w, 0, out=(a, i.int()))
        torch.kthvalue(w, 1, 0, out=(a, i.int()))
        torch.kthvalue(w, 1, 0, out=(a.double(), i.int()))
        torch.aminmax(w, dim=0, out=(a.double(), a))
        torch.sum(w, 0, out=torch.zeros(1).expand(2, 2))
        torch.max(w, 0, out=(torch.zeros(1).expand(2), torch.zeros(1).long().expand(2)))
        torch.exp(w, out=torch.zeros(1).expand(2, 2))
        torch.amax(w, 0, out=t(0.0))
        g = torch.zeros(3, requires_grad=True)
        torch.softmax(w, 0, out=g)
        torch.multiply(w, 2, out=g)
        torch.clip(w, 0, 1, out=g)
        torch.square(w, out=g)
        torch.concat([w], out=g)
        torch.sub(torch.ones(2), True, alpha=2)
        torch.ones(2).sub_(True, alpha=2)
        torch.zeros(2, 3).masked_scatter_(torch.ones(3, 1).bool(), torch.ones(9))
        torch.zeros(2, 3).masked_scatter(torch.ones(3, 1).bool(), torch.ones(9))
        torch.zeros(2, 3).masked_scatter_(torch.ones(2, 3).byte(), torch.ones(9))
        torch.zeros(2, 3).masked_fill(torch.ones(2), 1)
        """,
    )


def of_a_lone_row(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        F.nll_loss(torch.ones(2), torch.ones(2))
        F.nll_loss(torch.ones(2), t([0, 1], dtype=torch.int32))
        F.nll_loss(torch.ones(2), t([0, 1])), F.nll_loss(torch.ones(2), t([], dtype=torch.int64))
        F.nll_loss(torch.ones(2), t([1])), F.nll_loss(torch.ones(2), t(1))
        F.cross_entropy(S, S)
        F.cross_entropy(S, S, label_smoothing=0.5, reduction="none")
        """,
    )


def what_they_hold(torch):
    nn = torch.nn
    layers = [nn.MSELoss(), nn.BCELoss(), nn.CrossEntropyLoss(), nn.SmoothL1Loss(), nn.HuberLoss()]
    return [
        [name for name in vars(layer) if "hook" not in name and name not in vars(nn.Module())]
        for layer in layers
    ]


def several_mistakes_at_once(torch):
    return shown(
        torch,
        """
        F, x, one = torch.nn.functional, torch.zeros(2, 3), torch.ones(3)
        F.huber_loss(x, one, delta=0)
        F.huber_loss(x, one, 'bad', delta=0)
        F.huber_loss(x, torch.ones(2), delta=-1)
        F.smooth_l1_loss(x, x, reduction='bad', beta=-1)
        F.smooth_l1_loss(x, x, reduction='bad', beta=0)
        F.l1_loss(x.bool(), x.bool(), reduction='bad')
        F.l1_loss(x.bool(), x.bool(), weight=x, reduction='bad')
        """,
    )


def weights_that_are_numbers(torch):
    return observed(
        torch,
        lines("""
        F.binary_cross_entropy_with_logits(x, p, pos_weight=3.0)
        F.binary_cross_entropy_with_logits(x, p, 2)
        F.binary_cross_entropy(p / 3, p / 3, weight=3.0)
        F.mse_loss(x, p, weight=2)
        """),
    )


def bounds_that_are_nan(torch):
    return observed(
        torch,
        lines("""
        F.smooth_l1_loss(x, p, beta=float("nan"))
        F.huber_loss(x, p, delta=float("nan"))
        F.cross_entropy(x, at[:2], label_smoothing=float("nan"))
        """),
    )
