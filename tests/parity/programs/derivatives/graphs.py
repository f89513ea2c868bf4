"""The graph of a gradient that is differentiated itself: PyTorch's names and edges, operator by
operator."""

from tests.parity.harness import graph, short_name

_NUMBERS = """
x + 2; x - 2; 2 - x; x * 3; x / 3; 3 / x; x**3; x**2; x**0.5; x**0; 2**x
torch.add(x, y, alpha=2); torch.sub(x, y, alpha=2); torch.lerp(x, y, 0.3)
"""
_PAIRS = """
x + y; x - y; x * y; x / y; x**y; torch.maximum(x, y); torch.minimum(x, y)
torch.where(x > 1, x, y); torch.lerp(x, y, y); torch.addcmul(x, y, x, value=2)
torch.addcdiv(x, y, x, value=2); torch.hypot(x, y); torch.xlogy(x, y)
torch.fmod(x, y); torch.remainder(x, y)
"""
_FUNCTIONS = """
-x; x.abs(); x.square(); x.reciprocal(); x.exp(); x.log(); x.log1p(); x.log2(); x.log10()
x.exp2(); x.expm1(); x.sqrt(); x.sin(); x.cos(); x.atan(); x.tanh(); x.sinh(); x.cosh()
x.sigmoid(); x.relu(); x.clamp(0, 1); x.clamp(min=0.5); x.clamp(max=0.5); x.clamp(y, y + 1)
x.masked_fill(x > 1, 0.0); x.rsqrt(); x.cumprod(0); x.masked_fill(x > 1, y[0, 0])
"""
_REDUCTIONS = """
x.sum(); x.sum(0); x.sum(0, keepdim=True); x.mean(); x.mean(0); x.mean(0, keepdim=True)
x.prod(); x.prod(0); x.max(); x.max(0)[0]; x.max(0, keepdim=True)[0]; x.min(); x.min(0)[0]
x.logsumexp(0); x.var(); x.var(0); x.var(0, correction=0); x.std(); x.std(0); x.norm()
x.norm(1); x.norm(0.5, 0); x.norm(float("inf"), 0); x[0].var(0); x[0].std(0); x.amax(0); x.amin()
torch.var_mean(x)[0]; torch.var_mean(x)[1]; sum(torch.var_mean(x, 0)); x.cumsum(0)
"""
_PRODUCTS = """
x @ y; x @ y[0]; y[0] @ x; x[0] @ y[0]; x[None] @ y[None]; torch.addmm(x, y, y)
torch.addmm(x, y, x, beta=2, alpha=3); torch.outer(x[0], y[0])
torch.nn.functional.linear(x, y); torch.nn.functional.linear(x, y, y[0])
torch.nn.functional.linear(x[None], y, y[0]); torch.nn.functional.linear(x[0], y, y[0])
torch.baddbmm(x[None], y[None], x[None])
"""
_VIEWS = """
x.t(); x.transpose(0, 1); x.T; x.permute(1, 0); x.diagonal(); x.diag(); x.view(4); x.view_as(y)
x.reshape(4); x.t().reshape(4); x.expand(3, 2, 2); x[:1].expand_as(y); x.repeat(2, 1)
x[None].squeeze(); x[None].squeeze(0); x[None, :, None].squeeze(); x.unsqueeze(0)
x.swapaxes(0, 1); x.as_strided((2,), (2,)); x.as_strided((2, 2), (1, 1)); x.narrow(0, 0, 1)
x.select(0, 0); x.flatten(); x.repeat(2, 1, 1)
"""
_PARTS = """
x[0]; x[1:]; x[:, 1:]; x[0, 1]; x[0, None, 1:]; x[torch.tensor([0, 0])]; x[x > 1]
x.unbind()[0]; x.chunk(2)[0]; x.split(1)[1]; x.split([1, 1])[1]; torch.cat([x, y])
torch.stack([x, y]); x.gather(0, torch.tensor([[0, 1]])); x.index_select(0, torch.tensor([0]))
x.take(torch.tensor([0, 0])); x.scatter(0, torch.tensor([[0]]), 3.0)
x.index_add(0, torch.tensor([0]), y[:1]); x.index_copy(0, torch.tensor([0]), y[:1])
x.sort()[0]; x.topk(1)[0]; x.aminmax(dim=0)[1]; x.index_put((torch.tensor([0]),), y[0])
"""
_LOSSES = """
x.softmax(0); x.log_softmax(0); torch.nn.functional.mse_loss(x, y)
torch.nn.functional.mse_loss(x, y, reduction="sum")
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]))
torch.nn.functional.cross_entropy(x, y)
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]), label_smoothing=0.1)
torch.nn.functional.nll_loss(x, torch.tensor([0, 1]))
torch.nn.functional.l1_loss(x, y)
"""
_ACTIVATIONS = """
torch.nn.functional.gelu(x); torch.nn.functional.gelu(x, approximate="tanh")
torch.nn.functional.elu(x); torch.nn.functional.celu(x); torch.nn.functional.selu(x)
torch.nn.functional.softplus(x); torch.nn.functional.logsigmoid(x)
torch.nn.functional.leaky_relu(x); torch.nn.functional.hardtanh(x)
"""
_TWICE = """
x / y; y / x; x / 2; x**y; x**3; x.tanh(); x.sigmoid(); x @ y; x.t() @ y; x @ y[:, :1]; x[:1] @ y
x @ y[0]; y[0] @ x; x[None] @ y[None]; torch.addmm(x, y, x); torch.nn.functional.linear(x, y)
torch.nn.functional.linear(x, y, y[0]); torch.lerp(x, y, y); torch.xlogy(x, y); torch.xlogy(2, y)
torch.einsum("ij,jk->ik", x, y); x.softmax(1); x.log_softmax(0); torch.nn.functional.mse_loss(x, y)
torch.nn.functional.mse_loss(x, y, reduction="none")
torch.nn.functional.normalize(x, p=1); torch.nn.functional.softsign(x); x.masked_select(x > 1)
x.put(torch.tensor([0, 1]), y[0])
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]))
torch.nn.functional.cross_entropy(x, y)
"""
_STANDARDISED = """
torch.nn.functional.layer_norm(x, (2,)); torch.nn.functional.layer_norm(x, (2,), y[0])
torch.nn.functional.layer_norm(x, (2,), y[0], y[1])
torch.nn.functional.batch_norm(x, None, None, training=True)
torch.nn.functional.batch_norm(x, None, None, y[0], training=True)
torch.nn.functional.cross_entropy(x, y, label_smoothing=0.1)
"""


def _graphs(torch, text):
    return {
        written: _of_both(torch, written)
        for line in text.strip().splitlines()
        for written in line.split("; ")
    }


def _of_both(torch, written):
    """The graphs of the gradients by x and y, given ones, and given what requires grad itself."""
    x = torch.tensor([[1.0, 2.0], [3.0, 0.5]], requires_grad=True)
    y = torch.tensor([[0.5, 1.5], [2.0, 1.0]], requires_grad=True)
    z = eval(written, {"torch": torch, "x": x, "y": y})
    options = {"create_graph": True, "allow_unused": True}
    of_sum = torch.autograd.grad(z if z.dim() == 0 else z.sum(), (x, y), **options)
    of_all = torch.autograd.grad(z, (x, y), torch.ones_like(z).requires_grad_(), **options)
    return [
        None if grad is None else [grad.requires_grad, graph(grad.grad_fn)]
        for pair in (of_sum, of_all)
        for grad in pair
    ]


def of_a_tensor_and_a_number(torch):
    return _graphs(torch, _NUMBERS)


def of_pairs(torch):
    return _graphs(torch, _PAIRS)


def of_functions(torch):
    return _graphs(torch, _FUNCTIONS)


def of_reductions(torch):
    return _graphs(torch, _REDUCTIONS)


def of_products(torch):
    return _graphs(torch, _PRODUCTS)


def of_views(torch):
    return _graphs(torch, _VIEWS)


def of_parts(torch):
    return _graphs(torch, _PARTS)


def of_losses(torch):
    return _graphs(torch, _LOSSES)


def of_activations(torch):
    return _graphs(torch, _ACTIVATIONS)


def of_gradients_of_gradients(torch):
    seen = {}
    for written in "; ".join(_TWICE.strip().splitlines()).split("; "):
        x = torch.tensor([[1.0, 2.0], [3.0, 0.5]], requires_grad=True)
        y = torch.tensor([[0.5, 1.5], [2.0, 1.0]], requires_grad=True)
        z = eval(written, {"torch": torch, "x": x, "y": y})
        given = torch.ones_like(z).requires_grad_()
        options = {"create_graph": True, "allow_unused": True}
        grads = [
            each for each in torch.autograd.grad(z, (x, y), given, **options) if each is not None
        ]
        second = torch.autograd.grad(grads, (x, y, given), map(torch.ones_like, grads), **options)
        seen[written] = [each is not None and graph(each.grad_fn) for each in second]
        seen[written].append([each.stride() for each in grads])
    return seen


def of_lone_numbers(torch):
    x, y, given = [torch.tensor(2.0, requires_grad=True) for _ in range(3)]
    seen = []
    for z in (x.sum(), x.mean(), x.expand(()), x.expand(3).sum(), x * y, x.reshape(1).sum()):
        grads = torch.autograd.grad(z, x, given, create_graph=True)
        seen.append(graph(grads[0].grad_fn))
        second = torch.autograd.grad(grads[0], given, torch.ones_like(x), create_graph=True)
        seen.append([second[0].requires_grad, graph(second[0].grad_fn)])
    return seen


def of_what_is_chosen_from_a_lone_number(torch):
    seen, first = [], torch.tensor(0)
    for choose in (
        lambda x: x.max(0)[0],
        lambda x: x.sort(0)[0],
        lambda x: x.topk(1)[0],
        lambda x: x.kthvalue(1)[0],
        lambda x: x.mode(0)[0],
        lambda x: x.cummin(0)[0],
        lambda x: x.index_select(0, first),
    ):
        x, given = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
        z = choose(x)
        before, after = torch.autograd.grad(z, (x, z), given, create_graph=True)
        seen.append([before, before.data_ptr() == after.data_ptr(), graph(before.grad_fn)])
    return seen


def of_the_spread_of_a_lone_number(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (grad,) = torch.autograd.grad(x.var(0, unbiased=False), x, create_graph=True)
    return graph(grad.grad_fn)


def of_what_is_standardised(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 0.5]], requires_grad=True)
    y = torch.tensor([[0.5, 1.5], [2.0, 1.0]], requires_grad=True)
    return [
        graph(eval(written, {"torch": torch, "x": x, "y": y}).grad_fn)
        for written in "; ".join(_STANDARDISED.strip().splitlines()).split("; ")
    ]


def of_what_was_changed_in_place(torch):
    seen = []
    for change in (
        lambda y, w: y.mul_(w),
        lambda y, w: y.pow_(2),
        lambda y, w: y.div_(w),
        lambda y, w: y.sin_(),
        lambda y, w: y.exp_(),
        lambda y, w: y.add_(w),
        lambda y, w: y[:1].log_(),
    ):
        x, w = [torch.tensor([0.5, 1.5], requires_grad=True) for _ in range(2)]
        y = x * 1
        change(y, w)
        grads = torch.autograd.grad(y.sum(), (x, w), create_graph=True, allow_unused=True)
        seen.append(
            [graph(y.grad_fn), [each is not None and graph(each.grad_fn) for each in grads]]
        )
    return seen


def _made(torch, written, twice=False):
    """The nodes of gradients, or of their own, which the next backward takes latest first."""
    x = torch.tensor([[1.0, 2.0], [3.0, 0.5]], requires_grad=True)
    y = torch.tensor([[0.5, 1.5], [2.0, 1.0]], requires_grad=True)
    z = eval(written, {"torch": torch, "x": x, "y": y})
    leaves, given = {x: "x", y: "y"}, torch.ones_like(z).requires_grad_()
    options = {"create_graph": True, "allow_unused": True}
    grads = torch.autograd.grad(z, (x, y), given, **options)
    if twice:
        squares = [(each * each).sum() for each in grads if each is not None]
        grads = torch.autograd.grad(sum(squares), (x, y, given), **options)
    found, waiting = [], [grad.grad_fn for grad in grads if grad is not None]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.append(node)
            waiting.extend(following for following, _ in node.next_functions)
    made = [node for node in found if not hasattr(node, "variable")]
    made.sort(key=lambda node: node._sequence_nr())
    return [
        [node.name(), *[_called(leaves, following) for following, _ in node.next_functions]]
        for node in made
    ]


def in_order_of_their_making(torch):
    operations = (
        "x * y", "x / y", "3 / x", "x.reciprocal()", "torch.hypot(x, y)",
        "torch.where(x > 1, x, y)",
        "torch.fmod(x, y)", "torch.remainder(x, y)", "x @ y", "torch.xlogy(x, y)", "x**y",
        "torch.addcdiv(x, y, x, value=2)",
        "torch.atan2(x, y)", "x.rsqrt()", "torch.lerp(x, y, 0.3)", "torch.maximum(x, y)",
        "torch.minimum(x, y)", "torch.fmax(x, y)", "torch.clamp(x, y, y + 1)", "x.clamp(min=y)",
        "x.clamp_max(y)", "x.norm(float('inf'))", "x.put(torch.tensor([0, 1]), y[0])",
        "torch.baddbmm(x[None], y[None], x[None], beta=2, alpha=3)", "torch.inner(x, y)",
        "torch.inner(x, y[0])", "torch.inner(x[:1], y[:1])",
    )  # fmt: skip
    functions = (
        "silu(x)", "mish(x)", "cosine_similarity(x, y)",
        "binary_cross_entropy_with_logits(x, y)",
        "binary_cross_entropy_with_logits(x, y, y[0].detach(), reduction='sum')",
        "binary_cross_entropy_with_logits(x, y, pos_weight=y[0].detach())",
        "binary_cross_entropy_with_logits(x, y, y.detach(), pos_weight=y[0].detach())",
    )  # fmt: skip
    of_nn = [f"torch.nn.functional.{each}" for each in functions]
    return {written: _made(torch, written) for written in (*operations, *of_nn)}


def of_both_orders_in_order_of_their_making(torch):
    loss = "torch.nn.functional.mse_loss(x, y, reduction='{}')"
    losses = [loss.format(reduction) for reduction in ("mean", "sum", "none")]
    return {written: _made(torch, written, True) for written in ("x.sigmoid()", *losses)}


def _called(leaves, node):
    return node and leaves.get(getattr(node, "variable", None), short_name(node))


def of_running_totals_of_one(torch):
    seen = []
    for values in ([2.0], [[2.0, 3.0]]):
        x = torch.tensor(values, requires_grad=True)
        weights = torch.ones_like(x, requires_grad=True)
        for run in (x.cumsum, x.cumprod):
            (grad,) = torch.autograd.grad(run(0), x, weights, create_graph=True)
            seen.append(graph(grad.grad_fn))
    return seen
