"""How results lie in memory: as their input does, or in the order of their indices."""

import itertools

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown

FORMS = ("n", "k.transpose(0, 2)", "k.permute(1, 0, 2)", "k[:, ::2]", "c.expand(2, 3)")


def _strides(torch, operations):
    return observed(torch, [f"({form}).{each}.stride()" for form in FORMS for each in operations])


def like_their_input(torch):
    return _strides(
        torch,
        ["clone()", "neg()", "add(1)", "gt(0)", "double()", "flip(0)", "sort(0)[0]", "detach()"],
    )


def in_the_order_of_indices(torch):
    return _strides(
        torch,
        [
            "clone(memory_format=torch.contiguous_format)",
            "contiguous()",
            "cumsum(0)",
            "cumprod(0)",
            "softmax(-1)",
            "log_softmax(0)",
            "roll(1)",
            "roll(1, 0)",
            "tril()",
            "sum(0)",
            "mean(0, True)",
            "prod(0)",
            "var(0)",
            "all(0)",
            "masked_fill(torch.tensor(True), 0)",
            "index_select(0, torch.tensor([0]))",
            "to(torch.float64, memory_format=torch.contiguous_format)",
        ],
    )


def put_together(torch):
    return observed(
        torch,
        [
            f"{call}.stride()"
            for call in (
                "torch.cat([n, n])",
                "torch.cat([n, n], 1)",
                "torch.stack([n, n])",
                "torch.stack([n, n], -1)",
                "n.repeat(1, 2)",
                "n.tile(())",
                "torch.rand_like(n)",
                "torch.randn_like(n)",
                "n.unsqueeze(-1)",
                "n.unsqueeze(0)",
                "n.unsqueeze(1)",
                "k.transpose(0, 2).unsqueeze(-1)",
            )
        ],
    )


def other_dtypes_of_the_same_bytes(torch):
    return observed(
        torch,
        lines("""
        torch.zeros(2, 3).t().view(torch.float64)
        torch.zeros(6)[::2].view(torch.float16)
        torch.tensor(3.0).view(torch.float64)
        torch.tensor(3.0).view(torch.int32)
        torch.zeros(2, 8, dtype=torch.uint8)[:, 1:5].view(torch.int16)
        torch.zeros(2, 8, dtype=torch.uint8)[:, 2:6].view(torch.int16)
        torch.zeros(2, 3).view(torch.float64)
    """),
    )


def shapes_that_do_not_fit(torch):
    return shown(
        torch,
        """
        t(3.).flatten(1)
        t(3.).unflatten(0, ())
        t(3.).movedim(0, -1)
        t(3.).permute()
        torch.reshape(t([1., 2.]), (2, 1), out=t([0.]))
        t([1., 2.]).reshape((2, 1), foo=1)
        torch.reshape(t([1., 2.]), shape=(2, 1))
        t(3.).view()
        t(3.).hsplit(2)
        t([1., 2.]).vsplit(2)
        t([1., 2.]).split(1.5)
        t([1., 2.]).fliplr()
        t(3.).flipud()
        t([1., 2.]).flip()
        t(3.).roll(1, 0)
        t([1., 2.]).expand(-1, -1, 2)
        t([1., 2.]).sum_to_size(3)
        t([1., 2.]).sum_to_size(1, 1)
        t([[1., 2.]]).sum_to_size(1)
        t([[1., 2.]]).sum_to_size(1, 1)._is_view()
        t([1., 2.]).repeat_interleave(t([1, 2, 3]), 0)
        torch.zeros(2, 0, 3).repeat_interleave(2, 0).shape
        """,
    )


def what_is_not_repeated_keeps_its_step(torch):
    return shown(
        torch,
        """
        torch.ones(1, 2).expand(3, 1, 2).stride()
        torch.ones(1, 2).expand(1, 1, 2).stride()
        torch.ones(2, 1).expand(1, 2, 1).stride(), torch.ones(2, 1).expand(2, 5).stride()
        torch.ones(1, 1).expand(1, 1, 1, 1).stride(), torch.ones(1).expand(1).stride()
        torch.ones(2, 3).t().expand(1, 3, 2).stride()
        torch.ones(1).expand(3).expand(1, 3).stride(), torch.ones(()).expand(1, 1).stride()
        torch.ones(1, 2)[:, :1].expand(1, 1, 1).stride(), torch.ones(4, 1).expand(0, 4, 1).shape
        """,
    )


def operands_that_lie_differently(torch):
    """The first one decides, whatever has its shape."""
    return shown(
        torch,
        """
        c, f, gaps = torch.ones(4, 3), torch.ones(3, 4).t(), torch.ones(4, 6)[:, ::2]
        wide = torch.ones(1).expand(4, 3)
        [(a + b).stride() for a in (c, f, gaps, wide) for b in (c, f, gaps, wide)]
        [(a / b).stride() for a in (c, f, gaps, wide) for b in (c, f, gaps, wide)]
        [torch.maximum(a, b).stride() for a in (c, f) for b in (c, f)], (f > c).stride()
        [torch.where(a > 0, b, a).stride() for a in (c, f) for b in (c, f)]
        (f * torch.ones(3)).stride(), (torch.ones(3) * f).stride(), (f * 2).stride()
        (torch.ones(2, 3, 4).permute(2, 0, 1) * torch.ones(4, 2, 3)).stride()
        (f + c.double()).stride(), (f - 1).stride(), (1 - f).stride()
        """,
    )


def expanded_ones_in_another_dtype(torch):
    return shown(
        torch,
        """
        torch.ones(3).expand(2, 3).double().stride(), torch.ones(1).expand(2, 3).long().stride()
        torch.ones(2, 1).expand(2, 3).half().stride(), torch.ones(3, 2).t().double().stride()
        torch.ones(2, 1).expand(2, 3).to(torch.float64).stride()
        """,
    )


def of_what_is_made_of_expanded_tensors(torch):
    """In the order of their indices, so that they can be viewed otherwise."""
    found = {}
    for shape in ((3, 2), (2, 3, 2)):
        x = torch.tensor([1.0, 2.0]).expand(shape)
        made = {
            "exp": x.exp(),
            "tanh": x.tanh(),
            "sqrt": x.sqrt(),
            "double": x.double(),
            "long": x.long(),
            "half": x.half(),
            "compared": x > 1,
            "where": torch.where(x > 1, x, 0.0),
            "power": x**x,
            "flipped": x.flip(0),
            "sorted": x.sort(0)[0],
            "where from": x.sort(dim=0, stable=True)[1],
        }
        for name, z in made.items():
            found[f"{name} {shape}"] = [z.stride(), z.is_contiguous(), z.view(-1)]
    return found


def of_what_is_gathered_and_reduced_from_transposed_tensors(torch):
    x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)[::2]
    values, indices = x.cummax(0)
    gathered = x.gather(0, torch.zeros_like(x, dtype=torch.long))
    made = (values, indices, x.cummin(1)[1], gathered, x.amax(-1, keepdim=True), x.amin(0))
    return [[each.stride(), each.is_contiguous(), each.sum()] for each in made]


_OF_THREE = {
    "add": lambda torch, a, b, c: a + b,
    "sub": lambda torch, a, b, c: torch.sub(a, b, alpha=2),
    "div": lambda torch, a, b, c: torch.div(a, b, rounding_mode="floor"),
    "atan2": lambda torch, a, b, c: torch.atan2(a, b),
    "xlogy": lambda torch, a, b, c: torch.xlogy(a, b),
    "lt": lambda torch, a, b, c: a < b,
    "and": lambda torch, a, b, c: (a > 1) & (b > 1),
    "isclose": lambda torch, a, b, c: torch.isclose(a, b),
    "where": lambda torch, a, b, c: torch.where(c > 3, a, b),
    "addcmul": lambda torch, a, b, c: torch.addcmul(a, b, c),
    "lerp": lambda torch, a, b, c: torch.lerp(a, b, c),
    "clamp": lambda torch, a, b, c: torch.clamp(a, b, c),
}


def operands_that_disagree(torch):
    whole = torch.arange(1.0, 25.0)
    shown = [
        whole.view(4, 3, 2).permute(2, 1, 0),
        whole.view(3, 2, 4).permute(1, 0, 2),
        whole.view(4, 2, 3).permute(1, 2, 0)[:, :1],
        whole.view(2, 12)[:, :4].unsqueeze(1),
        whole[:12].view(4, 3).t(),
        whole[:4],
        whole.view(4, 6)[:, :3].t().expand(2, 3, 4),
    ]
    return {
        name: [
            compute(torch, shown[i], shown[j], shown[k]).stride()
            for i in range(len(shown))
            for j in range(len(shown))
            for k in ((i + j) % len(shown), (2 * i + j + 3) % len(shown))
        ]
        for name, compute in _OF_THREE.items()
    }


def reductions_of_what_is_transposed(torch):
    whole = torch.arange(1.0, 25.0).view(4, 3, 2).permute(2, 0, 1)
    return [
        [whole.norm(dim=0).stride(), whole.norm(dim=1, keepdim=True).stride()],
        [whole.logsumexp(0).stride(), whole.logsumexp((0, 1), True).stride()],
    ]


def numbers_to_powers_and_bounds(torch):
    turned = torch.arange(6).view(2, 3).t()
    spread = torch.arange(3).expand(2, 3)
    return [
        [(2**each).stride(), (0.5**each).stride(), each.clamp(0, 1).stride()]
        for each in (turned, turned.float(), spread, spread.float())
    ]


def functions_of_expanded_whole_numbers(torch):
    x = torch.arange(4).reshape(2, 2).expand(2, 2, 2)
    names = "tanh", "sin", "sqrt", "sigmoid", "log", "double"
    return {name: getattr(x, name)().stride() for name in names}


def whole_numbers_rounded(torch):
    turned = torch.arange(24).view(2, 3, 4).transpose(0, 2)
    return [getattr(turned, name)().stride() for name in ("floor", "ceil", "round", "trunc")]


def without_elements(torch):
    z, w, x = torch.zeros(0, 3), torch.zeros(2, 0, 4), torch.arange(24.0).reshape(2, 3, 4)
    parts = {
        "transposed": z.t(),
        "column": z[:, 1],
        "columns": z[:, ::2],
        "permuted": w.permute(2, 0, 1),
        "selected": w[:, :, 0],
        "expanded": z.expand(5, 0, 3),
        "from one": torch.zeros(0, 1).expand(0, 3),
        "no rows": x[:, 1:1],
        "no columns": x[..., 4:],
        "turned": x[:, 1:1].transpose(0, 1),
        "split": x.split([0, 3], 1)[0],
        "strided": x.as_strided((0, 2), (5, 7)),
        "empty": torch.empty_strided((0, 2), (5, 7)),
        "unbound": z.unbind(1)[1],
        "diagonal": z.diagonal(),
        "moved": w.movedim(0, 2),
        "viewed": x[:, 1:1].reshape(4, 0),
        "sum": w.sum(2),
    }
    return {name: [part.stride(), part.is_contiguous()] for name, part in parts.items()}


def targets_that_grow(torch):
    x, y = torch.arange(6.0).reshape(3, 2).t(), torch.arange(24.0).reshape(2, 3, 4)
    made = {
        "add": torch.add(x, 1, out=torch.empty(0)),
        "exp": torch.exp(x * 0, out=torch.empty(0)),
        "mul": torch.mul(y.permute(2, 0, 1), 2, out=torch.empty(0)),
        "pow": torch.pow(x, 2, out=torch.empty(5)),
        "eq": torch.eq(x, 1, out=torch.empty(0, dtype=torch.bool)),
        "sort": torch.sort(x, 0, out=(torch.empty(0), torch.empty(0, dtype=torch.long)))[0],
        "sum": torch.sum(y.transpose(0, 2), 0, out=torch.empty(0)),
        "cumsum": torch.cumsum(x, 0, out=torch.empty(0)),
        "in place": torch.add(x, 1, out=torch.empty(2, 3)),
        "arange": torch.arange(3, out=torch.empty(0)),
        "zeros": torch.zeros(2, out=torch.ones(3)),
        "full": torch.full((2,), 1.5, out=torch.ones(0)),
    }
    return {name: [each, each.stride(), each._version] for name, each in made.items()}


def places_of_empty_views(torch):
    x, y = torch.arange(4)[1:1], torch.arange(24.0).view(2, 3, 4)
    views = (
        x.expand(3, 0), x[None], x.view(0, 2), x.view_as(x), x.as_strided((2,), (1,)),
        x.as_strided((2,), (1,), 0)[1:], y[5:, None], y[1:1].transpose(0, 1), y[1:1][:, 1:],
        y[1:, 1:1].unbind(0)[0], y[1:, 1:1].split(1)[0],
    )  # fmt: skip
    return [each.storage_offset() for each in views]


def copies_of_what_is_expanded_and_turned(torch):
    """Dimensions without a step, or of the same, stay where they are among the others."""
    geometries = (
        ((4, 3, 2), (10, 0, 3)), ((4, 3, 2), (10, 1, 1)), ((4, 2, 3), (10, 3, 3)),
        ((4, 3, 2), (10, 1, 2)), ((2, 3), (0, 1)),
    )  # fmt: skip
    found = []
    for size, stride in geometries:
        for order in itertools.permutations(range(len(size))):
            x = torch.empty_strided(size, stride).fill_(1.0).permute(order)
            made = (
                x.clone(), x.double(), x.bool(), torch.empty_like(x), torch.rand_like(x), x.erf(),
                x.flip(0), x.sort(0)[0], x.index_fill(0, torch.tensor([0]), 2), x + 1,
            )  # fmt: skip
            found.append([each.stride() for each in made])
    return found


def gradients_of_turned_tensors(torch):
    """As the kept input or result lies, whatever the incoming gradient does."""
    nn = torch.nn.functional
    other = torch.tensor([[-3.0, 0.0], [-2.0, 2.0], [-1.0, 2.0]])
    functions = (
        torch.relu, nn.leaky_relu, nn.hardtanh, torch.norm, lambda x: x.clamp(max=1),
        lambda x: x.clamp(-1, 1), lambda x: x.clamp(min=other), lambda x: x.clamp(other, other),
        lambda x: torch.maximum(x, other), lambda x: torch.minimum(x, other), lambda x: x**other,
        lambda x: nn.mse_loss(x, other), lambda x: nn.mse_loss(x, other, reduction="none"),
        lambda x: nn.smooth_l1_loss(x, other), lambda x: nn.huber_loss(x, other),
        lambda x: x.norm(3, 0), lambda x: x.std(0),
    )  # fmt: skip
    found = []
    for function in functions:
        x = torch.arange(-3.0, 3.0).view(2, 3).t().requires_grad_()
        z = function(x)
        (gradient,) = torch.autograd.grad(z, x, torch.ones(z.shape))
        found.append([gradient, gradient.stride()])
    return found


def of_halves_that_are_expanded(torch):
    """What is computed in another dtype on the way lies as the halves do."""
    functional, x = torch.nn.functional, torch.ones(1, 3, dtype=torch.float16).expand(2, 3)
    results = [
        functional.softplus(x), functional.leaky_relu(x), functional.elu(x), functional.silu(x),
        functional.gelu(x), functional.mish(x), functional.hardtanh(x), x.sigmoid(), x.lerp(x, 0.5),
        x.exp(), torch.add(x, x, alpha=2), x.t().sigmoid(), x.bool().sign(), x.t().bool().sgn(),
        torch.ones(3, 2).t().bool().sign(),
    ]  # fmt: skip
    return [each.stride() for each in results]


def of_what_is_indexed_beside_single_rows(torch):
    x, every = torch.arange(24.0).reshape(2, 3, 4), slice(None)
    some, few = torch.tensor([True, False, True, True]), torch.tensor([0, 1])
    turned, row = x.transpose(0, 2), torch.tensor([[1, 0]])
    results = [
        x[None, few],
        turned[None, some],
        turned[every, None, torch.tensor([True, False, True])],
        x.permute(1, 2, 0)[None, x[0] > 5],
        x.permute(2, 0, 1)[None, few],
        x[:, :1].permute(1, 2, 0)[:, few],
        x[:1].permute(2, 1, 0)[few],
        turned[:, None, row],
        x.permute(2, 1, 0)[None, row, :, None],
        x[:1][row - row, :, few],
    ]
    return [each.stride() for each in results]


def of_what_is_put_into_turned_tensors(torch):
    x, values = torch.arange(6.0).reshape(2, 3).t(), torch.ones(12)
    masks = x > 2, x > 9, torch.tensor([True, False]), (x > 2).expand(2, 3, 2)
    results = [x.masked_scatter(mask, values) for mask in masks]
    results.append((x * 1).masked_scatter_(x > 2, values))
    return [each.stride() for each in results]


def strides_of_what_is_transposed(torch):
    return shown(
        torch,
        """
        x = torch.arange(6.0).view(2, 3).t()
        x.index_fill(0, torch.tensor([0]), 1.0).stride()
        x.index_put((torch.tensor([0]),), torch.ones(2)).stride()
        torch.cross(x, x, dim=0).stride()
        torch.cross(A[:, :, :3] * 1.0, A[:, :, 1:] * 1.0, dim=1).stride()
        """,
    )


def extremes_of_a_permuted_tensor(torch):
    x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 1, 0)
    return [
        [part, part.stride()]
        for dim in (0, 1, 2)
        for keepdim in (False, True)
        for part in torch.aminmax(x, dim=dim, keepdim=keepdim)
    ]


def laid_in_order_again(torch):
    functional, x = torch.nn.functional, torch.arange(6.0).reshape(3, 2).t()
    given = [
        functional.layer_norm(x, (3,)),
        functional.batch_norm(x, None, None, training=True),
        functional.batch_norm(x, torch.zeros(3), torch.ones(3)),
        functional.pad(x, (1, 1)),
    ]
    return [each.stride() for each in given]


def gradients_of_turned_factors(torch):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(2, 4, requires_grad=True)
    turned = torch.ones(4, 2).t().requires_grad_()
    found = []
    for product, leaves in ((x.t() @ y, [x, y]), (x.t() @ turned, [x, turned])):
        gradients = torch.autograd.grad(product.sum(), leaves)
        found += [(each, each.stride()) for each in gradients]
    return found
