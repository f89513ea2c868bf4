"""What nodes show of what they keep, and that changing any of it before backward is noticed."""

from tests.parity.harness import node_names, outcome, plain

_SHOWN = """
x + y: alpha
torch.add(x, y, alpha=2): alpha
x - y: alpha
2 - x: alpha self
torch.rsub(x, y, alpha=3): alpha self
torch.xlogy(x, 2): other self
torch.xlogy(2, x): other self
x * y: other self
x ** 3: exponent self
x.clamp(0, 1): min max self
x.clamp(min=0): min max
x.sum(): self_sym_sizes
x.sum(1): dim keepdim self_sym_sizes
x.mean(): self_sym_numel self_sym_sizes
x.mean(1, keepdim=True): dim keepdim self_sym_numel
x.prod(1): dim keepdim
x.amax(1): dim keepdim
x.max(1)[0]: dim indices keepdim self_sym_sizes
x.logsumexp(0): dim keepdim
x.softmax(0): dim result
x.norm(): ord keepdim
torch.addmm(v, x, x, beta=2): alpha beta
x.transpose(0, 1): dim0 dim1
x.permute(1, 0): dims
x.diagonal(): offset dim1 dim2 self_sym_sizes
x.view(4): self_sym_sizes
x.expand(2, 2, 2): self_sym_sizes
x.repeat(2, 1): repeats self_sym_sizes
x[None].squeeze(): self_sym_sizes
x[None].squeeze(0): dim self_sym_sizes
x.as_strided((2,), (1,)): size stride
x[1]: dim index self_sym_sizes
x[:, 0]: dim index
x[0:1]: dim start end step self_sym_sizes
x.split(1)[0]: dim split_size
x.split([1, 1])[0]: dim split_sizes
x[i[0]]: indices self_sym_sizes
x[:, i[0]]: indices
x[x > 1]: indices
x.index_select(0, i[0]): dim index self_sym_sizes
x.gather(0, i): dim index self sparse_grad
x.masked_fill(x > 1, 2.0): mask
torch.where(x > 1, x, y): condition
torch.nn.functional.mse_loss(x, y): reduction self target
torch.nn.functional.leaky_relu(x, 0.2): negative_slope self
x.sin(): self
2 ** x: exponent self result
x.clamp_min(0): min max
x.sum(): dims keepdim
x.amax(): dim keepdim
x.median(0)[0]: dim keepdim indices self_sym_sizes
x.var(): correction dim keepdim
x.std(1, unbiased=False): correction dim keepdim
torch.var_mean(x, 0)[0]: correction dim keepdim
x.cummax(0)[0]: dim self indices
x.norm(): dim ord
torch.baddbmm(x[None], x[None], y[None], beta=2): alpha beta
x.transpose(0, 1): dims
x.diag(): offset dim1 dim2 self_sym_sizes
x.tril(1): diagonal
x.view_as(y): self_sym_sizes
x.split(1)[0]: self_sym_sizes
torch.cat([x, y]): dim lengths
x.roll(1, 0): dims shifts
x.index_add(0, i[0], y): source_dim alpha
x.index_put((i[0],), y, accumulate=True): accumulate
x.scatter_reduce(0, i, y, "sum"): dim reduce include_self index
torch.nn.functional.huber_loss(x, y): delta reduction
torch.nn.functional.cross_entropy(x, i[0]): ignore_index reduction
torch.nn.functional.hardtanh(x): min_val max_val
torch.nn.functional.gelu(x, approximate="tanh"): approximate
torch.nn.functional.embedding(i[0], x): indices padding_idx sparse
torch.nn.functional.pad(x, (1, 2)): pad
x.sgn(): self result
"""


def numbers_and_tensors(torch):
    names = _names(torch)
    seen = {}
    for line in _SHOWN.strip().splitlines():
        expression, _, wanted = line.rpartition(": ")
        node = eval(expression, {"torch": torch, **names}).grad_fn
        seen[expression] = [
            [name, outcome(lambda node=node, name=name: getattr(node, f"_saved_{name}"))]
            for name in wanted.split()
        ]
    return seen


def _names(torch):
    return {
        "x": torch.tensor([[1.0, 2.0], [3.0, 0.5]], requires_grad=True),
        "y": torch.tensor([[2.0, 1.0], [0.5, 3.0]], requires_grad=True),
        "v": torch.tensor([1.0, 2.0], requires_grad=True),
        "i": torch.tensor([[0, 1], [1, 0]]),
        "m": torch.tensor([[True, False], [True, True]]),
    }


def what_was_not_kept_is_none_after_backward_too(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    product, quotient = x * 2, x / 2
    before = [product.grad_fn._saved_self, quotient.grad_fn._saved_self]
    (product + quotient).sum().backward()
    return before, product.grad_fn._saved_self, quotient.grad_fn._saved_self


def changed_ones_are_found_in_order(torch):
    seen = {}
    for expression in ("y.t() @ y", "y @ y.t()", "y * y.t()", "y.unbind()[0] * y", "y.t() / y"):
        y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True) * 1
        made = eval(expression, {"y": y})
        y.add_(1)
        seen[expression] = outcome(lambda made=made: made.sum().backward())
    return seen


def exponents_running_extremes_and_table_rows_are_kept(torch):
    def after(make):
        x = torch.tensor([[1.0, 3.0], [2.0, 0.5]], requires_grad=True) * 1
        i = torch.tensor([[1, 0]])
        made = make(x, i)
        x.add_(1)
        i.zero_()
        return outcome(lambda: made.sum().backward())

    embedding = torch.nn.functional.embedding
    return [
        after(lambda x, i: 2**x),
        after(lambda x, i: x.cummax(0)[0]),
        after(lambda x, i: embedding(i, x.clone())),
        after(lambda x, i: x.clone().scatter_reduce(0, i, x.clone(), "amax")),
    ]


def after_backward_numbers_are_left(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    power, total, picked, most = x**2, x.sum(0), x[torch.tensor([0])], x.max(0)[0]
    for each in (power, total, picked, most):
        each.sum().backward()
    return [
        outcome(lambda: power.grad_fn._saved_self),
        power.grad_fn._saved_exponent,
        total.grad_fn._saved_dim,
        outcome(lambda: picked.grad_fn._saved_indices),
        outcome(lambda: picked.grad_fn._raw_saved_indices),
        most.grad_fn._saved_dim,
        outcome(lambda: most.grad_fn._saved_indices),
    ]


_OPERATORS = {
    "gather": lambda x, y, i, m: x.gather(0, i),
    "take": lambda x, y, i, m: x.take(i),
    "where": lambda x, y, i, m: x.where(m, y),
    "masked_fill": lambda x, y, i, m: x.masked_fill(m, 2.0),
    "masked_fill_": lambda x, y, i, m: x.clone().masked_fill_(m, y[0, 0]),
    "masked_select": lambda x, y, i, m: x.masked_select(m),
    "index_select": lambda x, y, i, m: x.index_select(0, i[0]),
    "index_add": lambda x, y, i, m: x.index_add(0, i[0], y),
    "index_add twice": lambda x, y, i, m: x.index_add(0, i[0], y, alpha=2),
    "index_copy": lambda x, y, i, m: x.index_copy(0, i[0], y),
    "index_fill": lambda x, y, i, m: x.index_fill(0, i[0], 2.0),
    "scatter": lambda x, y, i, m: x.scatter(0, i, y),
    "scatter of a number": lambda x, y, i, m: x.scatter(0, i, 1.0),
    "scatter_add": lambda x, y, i, m: x.scatter_add(0, i, y),
    "index": lambda x, y, i, m: x[i],
    "index of a column": lambda x, y, i, m: x[:, i[0]],
    "mask": lambda x, y, i, m: x[m],
    "index_put_": lambda x, y, i, m: x.clone().index_put_((i[0],), y),
    "index_put_ adding": lambda x, y, i, m: x.clone().index_put_((i[0],), y, accumulate=True),
    "set by mask": lambda x, y, i, m: _set(x.clone(), m, y[0, 0]),
    "set by index": lambda x, y, i, m: _set(x.clone(), i[0], y),
    "sort": lambda x, y, i, m: x.sort()[0],
    "product": lambda x, y, i, m: y * x,
    "matrix product": lambda x, y, i, m: y @ x,
    "addmm": lambda x, y, i, m: x.addmm(y, x),
    "std": lambda x, y, i, m: x.std(),
    "softmax": lambda x, y, i, m: x.softmax(0),
    "sgn": lambda x, y, i, m: x.sgn() + x,
}
_CHANGES = {
    "x": lambda x, y, i, m: x.add_(1),
    "y": lambda x, y, i, m: y.add_(1),
    "indices": lambda x, y, i, m: i.zero_(),
    "mask": lambda x, y, i, m: m.zero_(),
}


def _set(tensor, index, value):
    tensor[index] = value
    return tensor


def changed_before_backward(torch):
    def run(operator, change):
        x, y, _, i, m = _names(torch).values()
        inputs = (x * 1, y * 1, i, m)
        out = operator(*inputs)
        change(*inputs)
        out.sum().backward()
        return [x.grad, y.grad]

    return {
        f"{name}, {changed}": outcome(lambda o=operator, c=change: run(o, c))
        for name, operator in _OPERATORS.items()
        for changed, change in _CHANGES.items()
    }


def packed_and_unpacked_in_order(torch):
    def run(operator):
        x, y, _, i, m = _names(torch).values()
        seen = []

        def pack(tensor):
            seen.append(["packed", len(seen), plain(tensor)])
            return len(seen) - 1, tensor

        def unpack(packed):
            seen.append(["unpacked", packed[0]])
            return packed[1]

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            out = operator(x * 1, y * 1, i, m)
        out.sum().backward()
        return seen

    return {name: outcome(lambda o=operator: run(o)) for name, operator in _OPERATORS.items()}


def nodes_know_what_arrives(torch):
    x = torch.ones(2, 3, requires_grad=True)
    y = (x * 2).double()
    accumulator = (x * 1).grad_fn.next_functions[0][0]
    first, *_ = x.unbind()
    edge = torch.autograd.graph.GradientEdge
    return [
        [
            [[each.shape, str(each.dtype)[-7:], str(each.device)] for each in node._input_metadata]
            for node in (y.grad_fn, accumulator, first.grad_fn)
        ],
        y.grad_fn.requires_grad,
        accumulator.requires_grad,
        outcome(lambda: torch.autograd.grad(edge(None, 0), x)),
        outcome(lambda: torch.autograd.backward(edge(3, 0), torch.ones(2))),
        outcome(lambda: torch.autograd.grad(y.sum(), edge(None, 0))),
        outcome(lambda: torch.autograd.backward(y.sum(), inputs=[edge(3, 0)])),
        outcome(lambda: torch.autograd.grad(edge(y.grad_fn, 5), x, torch.ones(2))),
    ]


def nodes_know_of_outputs_without_a_gradient(torch):
    class Several(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x.long(), None, x > 1, x.sum(), "text"

        @staticmethod
        def backward(ctx, *grads):
            return grads[0]

    node = Several.apply(torch.ones(2, requires_grad=True))[0].grad_fn
    return [[each.shape, str(each.dtype)[-7:]] for each in node._input_metadata]


def the_shape_of_a_view_that_leads_nowhere(torch):
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view = x[:2]
    return view.split(1)[0].grad_fn._saved_self_sym_sizes


def dimensions_of_a_lone_number(torch):
    x = torch.tensor(2.0, requires_grad=True)
    made = x.softmax(0), x.prod(0), x.cumsum(0), x.cumprod(0), x.max(0)[0]
    return [each.grad_fn._saved_dim for each in made]


def an_offset_that_was_not_given_is_none(torch):
    x = torch.ones(4, requires_grad=True)
    made = [x.as_strided((2,), (1,)), x[1:].as_strided((2,), (1,)), x.as_strided((2,), (1,), 0)]
    changed = (x * 1)[1:]
    changed.mul_(2)
    return [view.grad_fn._saved_storage_offset for view in (*made, changed)]


def dimensions_of_a_lone_number_and_from_the_end(torch):
    x, y = torch.tensor(3.0, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    results = (
        x.sum(0), x.sum(-1), x.sum(()), x.mean((-1,)), x.var(-1), x.std(0), x.amax(-1),
        x.logsumexp(0), x.prod(-1), x.softmax(-1), x.log_softmax(0), x.squeeze(-1), x.squeeze((0,)),
        x.norm(dim=0), y.select(-1, 0), y.narrow(-2, 0, 1), y[..., 0], y.sum(-1), y.squeeze(-1),
    )  # fmt: skip
    found = [each.grad_fn._saved_dim for each in results]
    return [
        found,
        x.flip(0).grad_fn._saved_dims,
        y.t().reshape(3, 2, 1).grad_fn._saved_self_sym_sizes,
    ]


def numbers_in_the_kind_that_was_given(torch):
    functional, x = torch.nn.functional, torch.ones(2, requires_grad=True)
    # Those of losses are floating numbers whatever was given.
    huber = functional.huber_loss(x, x.detach(), delta=2)
    smooth = functional.smooth_l1_loss(x, x.detach(), beta=2)
    softplus = functional.softplus(x, 2.0, 3)
    return [
        huber.grad_fn._saved_delta,
        smooth.grad_fn._saved_beta,
        [softplus.grad_fn._saved_beta, softplus.grad_fn._saved_threshold],
    ]


_BY_GRADIENTS = """
x[0]: dim index
x[:, 1:]: dim start end step
x.diagonal(): offset dim1 dim2
x.tanh(): grad_output output
F.relu(x): threshold
F.leaky_relu(x, 0.2): negative_slope
F.elu(x, 0.5): alpha scale input_scale is_result self_or_result
F.celu(x, 2): alpha scale input_scale
F.hardtanh(x): min_val max_val
F.softplus(x): beta threshold
F.gelu(x, approximate="tanh"): approximate
F.nll_loss(x, i[0], reduction="sum"): reduction ignore_index
"""


def by_the_nodes_of_gradients(torch):
    names = {"F": torch.nn.functional, **_names(torch)}
    seen = {}
    for line in _BY_GRADIENTS.strip().splitlines():
        expression, _, wanted = line.rpartition(": ")
        made = eval(expression, names)
        upstream = torch.ones_like(made, requires_grad=True)
        (grad,) = torch.autograd.grad(made, names["x"], upstream, create_graph=True)
        node = grad.grad_fn
        seen[expression] = [getattr(node, f"_saved_{name}") for name in wanted.split()]
    return seen


def numbers_as_operators_work_them_out(torch):
    functional, x = torch.nn.functional, torch.ones(2, 3, requires_grad=True)
    squared, cubed = x**2, x.norm(3)
    (of_square,) = torch.autograd.grad(squared.sum(), x, create_graph=True)
    (of_norm,) = torch.autograd.grad(cubed, x, create_graph=True)
    power = of_norm.grad_fn.next_functions[0][0].next_functions[1][0]
    product = torch.einsum("ij,k->ijk", x, x[0]).grad_fn.next_functions[0][0]
    smoothed = functional.cross_entropy(x, torch.tensor([0, 1]), label_smoothing=0.1)
    of_all = smoothed.grad_fn.next_functions[1][0].next_functions[0][0]
    return [
        functional.softplus(x).grad_fn._saved_beta,
        torch.nn.Softplus()(x).grad_fn._saved_beta,
        x.split(5)[0].grad_fn._saved_split_size,
        [of_square.grad_fn.next_functions[1][0].next_functions[0][0]._saved_exponent],
        power._saved_exponent,
        [torch.linalg.norm(x).grad_fn._saved_ord, torch.linalg.norm(x, "fro").grad_fn._saved_dim],
        torch.inner(x[0], x[1]).grad_fn.next_functions[0][0].next_functions[0][0]._saved_dims,
        product.next_functions[0][0]._saved_dim,
        of_all._saved_other,
        functional.nll_loss(x[0], torch.tensor(1), reduction="none").grad_fn._saved_total_weight,
    ]


def copies_of_what_is_changed_belong_to_the_graph(torch):
    def saved(change):
        x = torch.ones(2, 3, requires_grad=True) * 2
        return change(x).grad_fn._saved_self

    return [
        saved(lambda x: x.clamp_min_(3)),
        saved(lambda x: x.clamp_(min=torch.tensor(3.0))),
        saved(lambda x: x.cumprod_(0)),
    ]


def by_losses_and_log_sigmoid_all_is_packed(torch):
    functional = torch.nn.functional
    target, weight = torch.tensor([0, 2]), torch.tensor([1.0, 2.0, 0.5])
    seen = {}

    def packed(name, loss):
        x = torch.tensor([[0.5, 0.25, 0.75], [0.25, 0.5, 0.5]], requires_grad=True)
        noted = seen[name] = []

        def pack(tensor):
            noted.append(plain(tensor))
            return len(noted) - 1, tensor

        def unpack(kept):
            noted.append(kept[0])
            return kept[1]

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            made = loss(x)
        noted.append(getattr(made.grad_fn, "_saved_total_weight", None))
        made.sum().backward()
        noted.append(x.grad)

    for reduction in ("mean", "sum", "none"):
        for given in (None, weight):
            packed(
                f"{reduction}, {'weighted' if given is weight else 'plain'}",
                lambda x, r=reduction, w=given: functional.nll_loss(x, target, w, reduction=r),
            )
    pixels = target.reshape(1, 2, 1)
    packed(
        "pixels",
        lambda x: functional.nll_loss(x.reshape(1, 3, 2, 1), pixels, weight),
    )
    packed("ignoring", lambda x: functional.nll_loss(x, target, ignore_index=0))
    packed("binary", lambda x: functional.binary_cross_entropy(x, x.detach(), weight.expand(2, 3)))
    packed(
        "binary with logits",
        lambda x: functional.binary_cross_entropy_with_logits(x, x.detach(), pos_weight=weight),
    )
    packed("logsigmoid", functional.logsigmoid)
    return seen


def weights_of_losses_are_watched(torch):
    x, weight = torch.full((3,), 0.5, requires_grad=True), torch.tensor([1.0, 2.0, 0.5])
    losses = [
        torch.nn.functional.binary_cross_entropy(x, x.detach(), weight),
        torch.nn.functional.binary_cross_entropy_with_logits(x, x.detach(), pos_weight=weight),
    ]
    weight.mul_(2)
    return [outcome(loss.backward) for loss in losses]


def weighted_squares_and_repeated_elements(torch):
    x = torch.ones(2, 3, requires_grad=True) * 1
    weighted = torch.nn.functional.mse_loss(x, x.detach() * 2, weight=torch.ones(2, 3))
    return [node_names(each.grad_fn) for each in (weighted, x[0].repeat_interleave(2))]
