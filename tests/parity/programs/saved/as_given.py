"""What nodes show as it was given: dimensions, slices; and that saved tensors are read once."""

from tests.parity.harness import outcome, plain

_EXPRESSIONS = """
x.sum(-1)
x.sum((0, -1), keepdim=True)
x.mean((-1,))
x.prod(-1)
x.amax(-1)
x.max(-1)[0]
x.median(-1)[0]
x.mode(-1)[0]
x.var(-1)
torch.std_mean(x, -1)[1]
x.cumsum(-1)
x.cummax(-1)[0]
x.logsumexp((0, -1))
x.softmax(-1)
x.log_softmax(-1)
x.norm(3, -1)
x.sort(-1)[0]
x.topk(1)[0]
x.aminmax(dim=-1)[0]
x.mm(y)
x.mm(y.t())
x.t().mm(y)
x.mm(y.detach())
x.detach() @ y
torch.addmm(x[0], x, y, beta=2, alpha=3)
torch.nn.functional.linear(x, y)
torch.nn.functional.linear(x, y, x[0])
x.mT
x.transpose(0, -1)
x.permute(-1, 0)
x.diagonal(-1, -2, -1)
torch.diag_embed(x)
x.triu(-1)
x[None].squeeze(-3)
x[None].squeeze((0, -1))
x.squeeze(-1)
x.unsqueeze(-2)
x.roll(-1, -1)
x.flip((0, -1))
x.unbind(-1)[1]
x.chunk(2, -1)[1]
x.split([1, 1], -1)[0]
torch.cat([x, y], -1)
torch.stack([x, y], -1)
x.index_select(-1, i[0])
x[-1]
x[1:]
x[:-1]
x[-1:]
x[::2]
x[0:5]
x[:, 1:]
x[1:5:3]
x[-5:1]
x.gather(-1, i)
x.index_add(-1, i[0], y)
x.index_fill(-1, i[0], 2.0)
x.scatter(-1, i, y)
x.scatter_add(-1, i, y)
x.put(i, y)
x.masked_scatter(i > 0, y)
(x * 1).transpose_(0, -1)
(x * 1).unsqueeze_(-1)
(x * 1).squeeze_()
(x * 1).cumsum_(-1)
torch.nn.functional.nll_loss(x, i[0])
torch.nn.functional.nll_loss(x, i[0], x[0].detach())
torch.nn.functional.nll_loss(x, i[0], reduction="none")
torch.nn.functional.cross_entropy(x, i[0], ignore_index=1, reduction="sum")
torch.nn.functional.relu6(x)
torch.nn.functional.elu(x)
torch.nn.functional.celu(x)
"""


def all_that_they_show(torch):
    return {expression: _shown(torch, expression) for expression in _lines(_EXPRESSIONS)}


def _lines(text):
    return text.strip().splitlines()


def _made(torch, expression):
    names = {
        "torch": torch,
        "x": torch.tensor([[0.5, 1.25], [2.0, 0.75]], requires_grad=True),
        "y": torch.tensor([[1.5, 0.25], [0.5, 0.75]], requires_grad=True),
        "i": torch.tensor([[0, 1], [1, 0]]),
    }
    return eval(expression, names)


def _shown(torch, expression):
    node = _made(torch, expression).grad_fn
    return {
        name: outcome(lambda name=name: plain(getattr(node, name)))
        for name in sorted(set(dir(node)))
        if name.startswith("_saved_")
    }


_READ_ONCE = """
x ** y
x.clamp(y, 2 * y)
x.prod()
x.prod(-1)
x.amax(-1)
x.logsumexp(-1)
x.norm(3, -1)
torch.var_mean(x, -1)[0]
torch.std_mean(x)[1]
x.scatter_reduce(0, i, y, "amax")
x.xlogy(y)
x.put(i, y)
"""


def saved_tensors_are_packed_and_unpacked_once(torch):
    return {expression: _hooked(torch, expression) for expression in _lines(_READ_ONCE)}


def _hooked(torch, expression):
    told = []

    def tell(what):
        def hook(tensor):
            told.append([what, list(tensor.shape), str(tensor.dtype).rpartition(".")[2]])
            return tensor

        return hook

    with torch.autograd.graph.saved_tensors_hooks(tell("pack"), tell("unpack")):
        made = _made(torch, expression)
    made.sum().backward()
    return told
