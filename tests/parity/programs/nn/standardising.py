"""Standardising, looking up, padding and comparing vectors in torch.nn."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome, plain, state
from tests.parity.sessions import shown


def lookups(torch):
    return observed(
        torch,
        lines("""
        F.layer_norm(x, (2,))
        F.layer_norm(x, (3,), c)
        F.layer_norm(x, ())
        F.batch_norm(x, None, None)
        F.embedding(at, q)
        F.embedding(grid, q)
        F.embedding(at, q, padding_idx=0)
        F.embedding(at, q, padding_idx=-1)
        F.embedding(at, q, padding_idx=5)
        F.embedding(at + 1, q)
        F.embedding(at.float(), q)
        F.pad(x, (1, 2))
        F.pad(x, (1, 0, 0, 1), value=2.5)
        F.pad(x, (-1, 1))
        F.pad(x, (1,))
        F.pad(x, (1, 1, 1, 1, 1, 1))
        F.pad(i, (1, 1), 'constant', 3)
        F.normalize(x)
        F.normalize(x, dim=0)
        F.normalize(x, 1, 1)
        F.normalize(o, eps=1.0)
        F.cosine_similarity(x, p)
        F.cosine_similarity(x, w, dim=1)
        F.cosine_similarity(x, p, 0)
        torch.nn.BatchNorm1d(3)(w)
        torch.nn.BatchNorm2d(3)(w)
        repr(torch.nn.LayerNorm(3))
        repr(torch.nn.LayerNorm((2, 3), bias=False))
        repr(torch.nn.BatchNorm1d(3, momentum=None))
        repr(torch.nn.Embedding(3, 2, padding_idx=-1))
        repr(torch.nn.BatchNorm2d(3))
        list(torch.nn.BatchNorm1d(3).state_dict())
        list(torch.nn.LayerNorm(3).state_dict())
    """),
    )


def standardised(torch):
    x = torch.tensor([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]], dtype=torch.float64)
    k = torch.stack([x, x * x, x.sin()])
    w = torch.tensor([1.5, -0.5, 2.0], dtype=torch.float64)
    F = torch.nn.functional  # noqa: N806 - the name that everybody gives it
    seen = []
    for function in (
        lambda x, w: F.layer_norm(x, (3,)),
        lambda x, w: F.layer_norm(x, (3,), w, w),
        lambda x, w: F.layer_norm(x, (2, 3), w.expand(2, 3)),
        lambda x, w: F.batch_norm(x.transpose(1, 2), None, None, w, w, training=True),
        lambda x, w: F.batch_norm(x.transpose(1, 2), w.detach(), w.detach() ** 2, w),
    ):
        inputs = [k.clone().requires_grad_(), w.clone().requires_grad_()]
        result = function(*inputs)
        direction = torch.arange(18.0, dtype=torch.float64).sin().reshape(result.shape)
        first = torch.autograd.grad(result, inputs, direction, create_graph=True, allow_unused=True)
        second = torch.autograd.grad((first[0] ** 2).sum(), inputs, allow_unused=True)
        seen.append([_rounded(each) for each in (result, first[0], *second)])
        seen.append(result.grad_fn.name())
    return seen


def running_statistics(torch):
    layer = torch.nn.BatchNorm1d(2, momentum=0.25)
    x = torch.tensor([[0.5, -1.0], [1.5, 3.0]])
    seen = [graph(layer(x).grad_fn), layer.num_batches_tracked]
    seen += [state(each) for each in layer.buffers()]
    layer.eval()
    seen.append(layer(x).round(decimals=5))
    seen += [state(each) for each in layer.buffers()]
    cumulative = torch.nn.BatchNorm1d(2, momentum=None)
    cumulative(x)
    cumulative(x + 1)
    return [seen, [(each * 1.0).round(decimals=5) for each in cumulative.buffers()]]


def embedding_layer(torch):
    torch.manual_seed(3)
    table = torch.nn.Embedding(4, 2, padding_idx=1)
    result = table(torch.tensor([[0, 1], [3, 3]]))
    result.sum().backward()
    return [table.weight.shape, table.weight[1], table.weight.grad, result.shape]


def _standardised(torch, x, w, b, running):
    functional = torch.nn.functional
    mean, var = running
    return {
        "layer": lambda: functional.layer_norm(x, (3,), w, b),
        "layer, bare": lambda: functional.layer_norm(x, (3,)),
        "layer, bias": lambda: functional.layer_norm(x.detach(), (3,), w.detach(), b),
        "batch": lambda: functional.batch_norm(x, None, None, w, b, training=True),
        "batch, moving": lambda: functional.batch_norm(x, mean, var, w, training=True),
        "batch, given": lambda: functional.batch_norm(x, mean, var, w, b),
    }


def _operands(torch):
    x = torch.arange(6.0, dtype=torch.float64).sin().reshape(2, 3)
    w, b = torch.tensor([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0]], dtype=torch.float64)
    running = torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    return *[each.clone().requires_grad_() for each in (x, w, b)], running


def _rounded(tensor):
    return tensor if tensor is None else tensor.detach().round(decimals=9) + 0


def what_is_kept(torch):
    names = ["input", "weight", "bias", "running_mean", "running_var", "result1", "result2"]
    seen = {}
    for name, make in _standardised(torch, *_operands(torch)).items():
        packed = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda tensor, packed=packed: packed.append(_rounded(tensor)) or tensor,
            lambda tensor: tensor,
        ):
            node = make().grad_fn
        kept = {each: f"_saved_{each}" for each in names if hasattr(node, f"_saved_{each}")}
        rest = [getattr(node, f"_saved_{each}", "-") for each in ("normalized_shape", "training")]
        seen[name] = packed, {each: _rounded(getattr(node, kept[each])) for each in kept}, rest
    return seen


def what_is_kept_and_changed(torch):
    def change(name, place):
        x, w, b, (mean, var) = _operands(torch)
        inputs = [each * 1 for each in (x, w, b, mean, var)]
        result = _standardised(torch, *inputs[:3], inputs[3:])[name]().sum()
        torch.autograd.graph.increment_version(inputs[place])
        told = outcome(result.backward)
        return told and told["says"].partition(" Hint:")[0]

    names = _standardised(torch, *_operands(torch))
    return {name: [change(name, place) for place in range(5)] for name in names}


def running_statistics_moved_before_backward(torch):
    # A batch in training moves them without a trace: backward reads what they are by then.
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    layer = torch.nn.BatchNorm1d(3).eval()
    result = layer(x)
    layer.train()(x)
    return [torch.autograd.grad(result.sum(), x)[0], layer.running_var._version]


def statistics_of_changed_layers(torch):
    """Of batches, in a layer whose attributes were changed since it was made."""
    return shown(
        torch,
        """
        x = torch.arange(4.0).reshape(2, 2)
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.track_running_stats = False
        b(x), b.running_mean, b.num_batches_tracked
        b.eval()(x)
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.running_mean = None
        b(x)
        b.double().running_var
        b.eval()(x.double())
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.running_var = None
        b(x)
        b.eval()(x)
        b.running_mean = None
        b(x)
        b.eval()(x)
        b = torch.nn.BatchNorm1d(2, affine=False, track_running_stats=False)
        b.track_running_stats = True
        b(x)
        """,
    )


def cosines_of_what_is_broadcast(torch):
    cosine = torch.nn.functional.cosine_similarity
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    b = torch.tensor([2.0, 1.0], requires_grad=True)
    return (
        [graph(cosine(a, each, dim=0).grad_fn) for each in (a, a.detach(), b, b[None])],
        [plain(each) for each in torch.autograd.grad(cosine(a, b, dim=0).sum(), (a, b))],
        outcome(lambda: cosine(a, torch.ones(3))),
        outcome(lambda: cosine(a, torch.ones(()), dim=0)),
    )


def cosines_of_short_vectors(torch):
    x = torch.tensor([[0.5, -1.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[1.0, 2.0], [-1.0, 0.5]], dtype=torch.float64, requires_grad=True)
    cosines = torch.nn.functional.cosine_similarity(x, y, 1, 2.0)
    return cosines, torch.autograd.grad(cosines.sum(), [x, y])


def tables_that_are_none(torch):
    return shown(
        torch,
        """
        F, i = torch.nn.functional, t([0, 2])
        F.embedding(i, torch.ones(3))
        F.embedding(i, torch.ones(3, 1, 1))
        """,
    )


def whole_numbers_standardised(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.ones(2, 2, dtype=torch.int64)
        F.layer_norm(x, (2,))
        F.batch_norm(x, None, None, training=True)
        F.batch_norm(x, torch.zeros(2), torch.ones(2))
        """,
    )


def more_cut_than_there_is(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.ones(2)
        F.pad(x, (-1, -1))
        F.pad(x, (-2, -1))
        F.pad(x, (3, -3))
        F.pad(x, (-3, 4))
        F.pad(x, (-1, 2))
        """,
    )


def starting_anew(torch):
    return shown(
        torch,
        """
        b = torch.nn.BatchNorm1d(2)
        b(t([[1.0, 2.0], [3.0, 5.0]])).shape
        torch.nn.init.constant_(b.weight, 3)
        b.reset_parameters()
        b.weight, b.bias, b.running_mean, b.running_var, b.num_batches_tracked
        torch.nn.BatchNorm1d(2, affine=False).reset_parameters()
        """,
    )


def parameters_of_another_dtype(torch):
    return shown(
        torch,
        """
        F, x, one = torch.nn.functional, torch.ones(2, 3), torch.ones(3)
        F.layer_norm(x, (3,), one.double())
        F.layer_norm(x.double(), (3,), one)
        F.layer_norm(x.double(), (3,), None, one.double())
        F.layer_norm(x, (3,), one, one.double())
        F.layer_norm(x.long(), (4,), one)
        F.layer_norm(x.half(), (3,), one).dtype
        F.layer_norm(x.half(), (3,), one.half(), one)
        F.batch_norm(x.double(), one, one)
        F.batch_norm(x, one.double(), one)
        F.batch_norm(x, one, one.double(), one)
        F.batch_norm(x.half(), one.half(), one, one)
        F.batch_norm(x.long(), one, None, training=True)
        F.batch_norm(x.long(), one, one, one)
        torch.nn.BatchNorm1d(3)(x.double())
        torch.nn.LayerNorm(3).double()(x)
        """,
    )


def checked_one_by_one(torch):
    return shown(
        torch,
        """
        F, x, one, two = torch.nn.functional, torch.ones(2, 3), torch.ones(3), torch.ones(2)
        F.batch_norm(x, None, two, two)
        F.batch_norm(x, one, None, two)
        F.batch_norm(x, one, two, two, two, training=True)
        F.batch_norm(x[:1], one, two, two, training=True)
        F.batch_norm(x, one, one.clone().requires_grad_(), two)
        F.batch_norm(x, one, one.clone().requires_grad_(), one)
        F.batch_norm(x, one.clone().requires_grad_(), one, training=True)
        F.batch_norm(x, None, one.clone().requires_grad_(), one, training=True)
        F.batch_norm(x[:0], two, None, one)
        F.batch_norm(x[:0], None, None, one.clone().requires_grad_(), one, training=True)
        """,
    )


def halves_standardised(torch):
    functional = torch.nn.functional
    x = torch.tensor([[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]], dtype=torch.float16)
    seen = []
    for kind in (torch.float32, torch.float16):
        mean, var = torch.zeros(3, dtype=kind), torch.ones(3, dtype=kind)
        for training in (True, False):
            weight = torch.tensor([1.5, -0.5, 2.0], dtype=kind, requires_grad=True)
            z = functional.batch_norm(x, mean, var, weight, training=training)
            seen += [z, z.grad_fn._saved_result1.dtype, mean, var]
            z.sum().backward()
            seen.append(weight.grad.dtype)
        z = functional.layer_norm(x, (3,), weight)
        seen += [z.dtype, z.grad_fn._saved_result2.dtype]
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(x, x)
            z = functional.layer_norm(dual, (3,), weight.detach())
            seen.append(torch.autograd.forward_ad.unpack_dual(z).tangent.dtype)
    return seen


def their_classes(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        issubclass(nn.BatchNorm2d, nn.BatchNorm1d), nn.BatchNorm1d.__bases__[0].__name__
        nn.BatchNorm1d()
        nn.BatchNorm2d(2, scale=1)
        nn.BatchNorm1d(2)(torch.ones(2, 2), 3)
        m = nn.BatchNorm1d(2)
        del m.running_mean
        m(torch.ones(2, 2))
        m.num_batches_tracked
        """,
    )


def batches_divided_by_their_bare_deviations(torch):
    x, layer = torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.nn.BatchNorm1d(2, eps=0)
    return [
        outcome(lambda: layer(x)),
        outcome(lambda: layer.eval()(x).detach()),
        outcome(lambda: torch.nn.BatchNorm1d(2, eps=-1).eval()(x)),
    ]
