"""Networks out of parts: residual blocks, buffers, tied weights, recurrence, checkpoints."""

import importlib

from tests.parity.harness import graph, node_names, outcome
from tests.parity.usage_material import digits, gradients, settled, waves


def frozen_layers(torch):
    model = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    )
    model[0].requires_grad_(False)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    x = waves(torch, 4, 2)
    hidden = model[:2](x)
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    model[0].requires_grad_(True)
    model(x).sum().backward()
    return [hidden.requires_grad, graph(loss.grad_fn), gradients(model), digits(model.state_dict())]


def tied_weights(torch):
    encoder = settled(torch, torch.nn.Linear(3, 3, bias=False))
    decoder = torch.nn.Linear(3, 3, bias=False)
    decoder.weight = encoder.weight
    model = torch.nn.Sequential(encoder, torch.nn.Tanh(), decoder)
    x = waves(torch, 2, 3)
    out = model(x)
    out.sum().backward()
    transposed = torch.nn.functional.linear(torch.tanh(encoder(x)), encoder.weight.t())
    (again,) = torch.autograd.grad(transposed.sum(), encoder.weight)
    return [
        len(list(model.parameters())),
        list(model.state_dict()),
        gradients(model),
        digits(again),
        outcome(lambda: setattr(decoder, "weight", x)),
    ]


def residual_blocks(torch):
    class Block(torch.nn.Module):
        def __init__(self, size):
            super().__init__()
            self.inner = torch.nn.Linear(size, size)

        def forward(self, x):
            return x + torch.relu(self.inner(x))

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = torch.nn.ModuleList([Block(3) for _ in range(3)])
            self.heads = torch.nn.ModuleDict(
                {"a": torch.nn.Linear(3, 1), "b": torch.nn.Linear(3, 2)}
            )

        def forward(self, x, head):
            for block in self.blocks:
                x = block(x)
            return self.heads[head](x)

    model = settled(torch, Net())
    x = waves(torch, 2, 3, requires_grad=True)
    out = model(x, "b")
    out.pow(2).sum().backward()
    return [digits(out), digits(x.grad), gradients(model), repr(model), node_names(out.grad_fn)]


def a_module_with_buffers(torch):
    class Standardise(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(2, dtype=torch.float64))
            self.register_buffer("count", torch.tensor(0))
            self.register_buffer("last", None)
            self.scale = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))

        def forward(self, x):
            if self.training:
                self.count += 1
                self.mean.mul_(0.5).add_(x.detach().mean(0), alpha=0.5)
                self.last = x.detach()[0]
            return (x - self.mean) * self.scale

    module = Standardise()
    x = waves(torch, 3, 2, requires_grad=True)
    first = module(x)
    second = module(x)
    failed = outcome(lambda: (first.sum() + second.sum()).backward())
    module.eval()
    still = module(x)
    still.sum().backward()
    return [
        failed,
        digits(module.state_dict()),
        list(module.state_dict()),
        digits(x.grad),
        gradients(module),
        [name for name, _ in module.named_buffers()],
        module.mean._version,
        repr(module),
    ]


def recurrence_unrolled_by_hand(torch):
    w_in, w_h, w_out = (waves(torch, 3, 3, step=s, requires_grad=True) for s in (0.3, 0.5, 0.9))
    inputs = waves(torch, 5, 2, 3)
    h = torch.zeros(2, 3, dtype=torch.float64)
    outs = []
    for step in inputs:
        h = torch.tanh(step @ w_in + h @ w_h)
        outs.append(h @ w_out)
    loss = torch.stack(outs).pow(2).mean()
    loss.backward()
    return [digits(loss), digits([w_in.grad, w_h.grad, w_out.grad]), graph(outs[1].grad_fn)]


def truncated_backpropagation_through_time(torch):
    w = waves(torch, 3, 3, requires_grad=True)
    h = torch.zeros(1, 3, dtype=torch.float64)
    seen = []
    for at in range(6):
        h = torch.tanh(h @ w + at)
        if at % 2:
            h.sum().backward()
            seen.append([digits(w.grad), h.requires_grad])
            h = h.detach()
    h = torch.tanh(h @ w)
    h.sum().backward()
    after = torch.tanh(h @ w).sum()
    return [seen, outcome(after.backward), h.detach_() is h, h.grad_fn]


def a_cell_of_gates(torch):
    hidden = torch.zeros(1, 2, dtype=torch.float64)
    cell = torch.zeros(1, 2, dtype=torch.float64)
    gates_of = settled(torch, torch.nn.Linear(5, 8))
    for step in waves(torch, 4, 1, 3):
        gates = gates_of(torch.cat([step, hidden], 1))
        i, f, g, o = gates.chunk(4, 1)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
    hidden.sum().backward()
    return [digits(hidden), gradients(gates_of), o.output_nr, graph(o.grad_fn)]


def attention_by_hand(torch):
    q, k, v = (waves(torch, 2, 3, 4, step=s, requires_grad=True) for s in (0.3, 0.6, 0.8))
    scores = q @ k.transpose(-2, -1) / 4**0.5
    mask = torch.ones(3, 3).tril() == 0
    weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
    out = weights @ v
    out.pow(2).sum().backward()
    return [digits(weights), digits([q.grad, k.grad, v.grad]), graph(weights.grad_fn)]


def a_checkpointed_network(torch):
    checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    first = settled(torch, torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh()))
    second = settled(torch, torch.nn.Linear(3, 1))
    x = waves(torch, 3, 2, requires_grad=True)
    seen = []
    for call in (
        lambda: first(x),
        lambda: checkpoint(first, x, use_reentrant=False),
        lambda: checkpoint(first, x, use_reentrant=True),
    ):
        first.zero_grad()
        x.grad = None
        second(call()).sum().backward()
        seen.append([gradients(first), digits(x.grad)])
    return seen[0], seen[1] == seen[0], seen[2] == seen[0]


def relu_in_place(torch):
    def grads(*layers):
        model = settled(torch, torch.nn.Sequential(*layers))
        x = waves(torch, 3, 2)

        def call():
            out = model(x)
            out.sum().backward()
            return [gradients(model), graph(out.grad_fn)]

        return outcome(call)

    nn = torch.nn
    return [
        grads(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 1)),
        grads(nn.Linear(2, 2), nn.Tanh(), nn.ReLU(inplace=True)),
        grads(nn.Linear(2, 2), nn.Sigmoid(), nn.ReLU(inplace=True), nn.Linear(2, 2)),
        grads(nn.Linear(2, 2), nn.ReLU(), nn.ReLU(inplace=True)),
    ]


def relu_in_place_on_the_residual(torch):
    x = waves(torch, 2, 2, requires_grad=True)
    h = x.exp()
    y = torch.relu_(h) + h
    wrong = outcome(lambda: y.sum().backward())
    h = x * 2
    torch.nn.functional.relu(h, inplace=True)
    z = h + h
    z.sum().backward()
    return [wrong, digits(x.grad), h._version, graph(z.grad_fn), outcome(lambda: torch.relu_(x))]


def activations_recorded_by_hooks(torch):
    model = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    )
    seen = {}

    def record(name):
        def hook(module, args, output):
            seen[name] = [type(module).__name__, digits(args[0]), digits(output.detach())]
            output.register_hook(lambda grad: seen.__setitem__(f"grad {name}", digits(grad)))

        return hook

    handles = [child.register_forward_hook(record(name)) for name, child in model.named_children()]
    model(waves(torch, 2, 2)).sum().backward()
    first = dict(seen)
    for handle in handles:
        handle.remove()
    seen.clear()
    model(waves(torch, 2, 2)).sum().backward()
    return [first, seen]


def several_losses_of_one_graph(torch):
    model = settled(torch, torch.nn.Linear(2, 2))
    x = waves(torch, 3, 2)
    out = torch.tanh(model(x))
    one, two = out[:, 0].sum(), (out[:, 1] ** 2).sum()
    one.backward(retain_graph=True)
    after_one = gradients(model)
    two.backward()
    both = gradients(model)
    again = outcome(one.backward)
    model.zero_grad()
    out = torch.tanh(model(x))
    torch.autograd.backward([out[:, 0].sum(), (out[:, 1] ** 2).sum()])
    return [after_one, both, again, gradients(model) == both]


def embedding_by_index(torch):
    table = waves(torch, 5, 2, requires_grad=True)
    words = torch.tensor([[0, 3], [3, 3]])
    looked_up = table[words]
    looked_up.mean(1).pow(2).sum().backward()
    first = digits(table.grad)
    table.grad = None
    table.index_select(0, words.flatten()).sum().backward()
    return [
        first,
        digits(table.grad),
        graph(looked_up.grad_fn),
        outcome(lambda: table[torch.tensor([5])]),
    ]


def layer_normalisation_by_hand(torch):
    x = waves(torch, 2, 4, requires_grad=True)
    mean = x.mean(-1, keepdim=True)
    variance = x.var(-1, keepdim=True, unbiased=False)
    y = (x - mean) / torch.sqrt(variance + 1e-5)
    (y * waves(torch, 2, 4, step=1.3)).sum().backward()
    return [digits(y), digits(x.grad), graph(y.grad_fn)]


def dropout_by_mask(torch):
    x = waves(torch, 2, 4, requires_grad=True)
    mask = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0]], dtype=torch.bool)
    y = x * mask / 0.5
    y.sum().backward()
    return [digits(y), digits(x.grad), str(y.dtype)[-7:], graph(y.grad_fn)]
