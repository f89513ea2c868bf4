"""What is said of arguments that are missing, too many, unknown or of the wrong kind."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome
from tests.parity.sessions import shown


def mistaken_arguments(torch):
    return observed(
        torch,
        lines("""
        x + 'a'
        x + None
        x + [1]
        x * 'a'
        x - None
        x / None
        x ** None
        x // None
        x % None
        x @ 2
        x @ None
        x @ [1.0]
        'a' + x
        None * x
        torch.add(x, 'a')
        torch.add(x, None)
        torch.add(x, w, 3, 4)
        torch.add(x, w, foo=1)
        torch.mul(x, 'a')
        torch.mul(x)
        torch.sub(x, None)
        torch.div(x, None)
        torch.exp()
        torch.exp(x, 1)
        torch.exp('a')
        torch.exp(2.0)
        torch.sin(None)
        torch.sin(2.0)
        torch.sin([1.0])
        x.add('a')
        x.add(None)
        x.add(w, foo=2)
        x.mul()
        x.mul('a')
        x.mul([1.0])
        torch.sum(2.0)
        torch.sum([1.0])
        x.softmax()
        x.softmax('a')
        x.cumsum()
        x.cumsum('a')
        x.transpose(0)
        x.transpose('a', 1)
        x.transpose(0.0, 1)
        x.permute('a')
        x.unsqueeze()
        x.unsqueeze('a')
        x.unsqueeze(1.0)
        x.expand('a')
        x.matmul(2)
        x.matmul()
        torch.matmul(x, 2)
        torch.mm(x, 2)
        torch.mm(x, None)
        x.mm(2)
        torch.cat(x)
        torch.cat(2)
        torch.cat([1, 2])
        torch.cat([x, 1])
        torch.cat()
        torch.stack(2)
        torch.stack([x, 1])
        torch.maximum(x, 2)
        torch.maximum(x)
        x.gather(0)
        x.gather(0, 1)
        x.index_select(0, 1)
        x == 'a'
        x == None
        x != None
        x < 'a'
        x < None
        x & 1
        b & 'a'
        x.view_as(2)
        x.expand_as(2)
        x.flatten('a')
        x.chunk('a')
        x.chunk()
        x.unbind('a')
        x.select(0)
        x.to('a')
        x.to()
        x.size('a')
        x.size(1.5)
        x.stride('a')
        x.backward('a')
        x.sum().backward('a')
        x.sum().backward(1.0)
        torch.zeros('a')
        torch.zeros(1.5)
        torch.zeros()
        torch.zeros(2, foo=1)
        torch.ones(None)
        torch.tensor(1.0, 2)
        torch.tensor('a')
        torch.tensor(None)
        torch.tensor([1, None])
        torch.tensor({})
        torch.tensor(1.0, foo=1)
        torch.arange()
        torch.arange('a')
        torch.eye('a')
        torch.rand('a')
        torch.randn(1.5)
        torch.zeros_like(1)
        torch.from_numpy(1)
        torch.allclose(x, 1)
        torch.equal(x, 1)
        x.detach().copy_('a')
        x.detach().add_('a')
        x.detach().add_(None)
        x.detach().mul_()
        x['a']
        x[1.5]
        x[None, 'a']
        x.__setitem__('a', 1)
        x.__setitem__(0, 'a')
        F.relu()
        F.softmax(2)
        F.log_softmax('a')
        x.T.foo
        x.foo
        x.foo()
        torch.neg('a')
        torch.abs(2)
        torch.relu(2)
        torch.sigmoid(None)
        torch.tanh('a')
        torch.prod(2)
        torch.topk(x)
        torch.topk(x, 'a')
        torch.sort('a')
        torch.dot(x, 2)
        torch.outer(2, w)
        torch.t(2)
        torch.transpose(x, 0)
        torch.flatten(2)
        torch.squeeze('a')
        torch.numel(2)
        torch.is_floating_point(2)
        torch.broadcast_to(x, 'a')
        torch.manual_seed('a')
        torch.index_select(x, 0, 1)
        torch.atan2(x, 1)
        torch.clone(2)
        torch.diag('a')
        torch.tril('a')
        torch.logical_and(x, 1)
        torch.isnan(2.0)
        torch.mean(2.0)
        torch.max(2.0)
        torch.argmax('a')
    """),
    )


def calls_without_arguments(torch):
    x = torch.ones(2, requires_grad=True)
    names = "add sub mul add_ copy_ transpose gather swapaxes as_strided index_select lerp"
    others = ("maximum", "minimum", "atan2", "logical_and", "fmax", "hypot")
    return {
        "none": [[name, outcome(lambda n=name: getattr(x, n)())] for name in names.split()],
        "text": [[name, outcome(lambda n=name: getattr(x, n)("a"))] for name in others],
    }


def what_is_looked_at_first(torch):
    return shown(
        torch,
        """
        x = torch.zeros(2, 3)
        x.masked_fill_(torch.ones(4).bool(), t([1.0]))
        x.index_fill_(5, t([0]), t([1.0]))
        x.masked_fill(torch.ones(4), 1.0)
        x.masked_fill(torch.ones(4).bool(), t([1.0]))
        """,
    )


def of_a_linear_layer(torch):
    return observed(
        torch,
        lines("""
        F.linear()
        F.linear(x)
        F.linear(input=x)
        F.linear(x, 3)
        F.linear(x, weight=3)
        F.linear(3, x)
        F.linear(x, x, 3)
        F.linear(x, x, bias=3)
        F.linear(x, x, w, x)
        F.linear(x, x, foo=3)
        F.linear(x, None)
        F.linear(x, [1])
        F.linear(x, q)
        F.linear(x, i)
        torch.nn.Linear(3, 2)(3)
        torch.nn.Linear(3, 2)()
    """),
    )
