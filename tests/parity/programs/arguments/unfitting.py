"""Arguments that fit no signature, in PyTorch's words, and those by the names that NumPy has."""

from traceback import format_exc

import numpy as np

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome
from tests.parity.sessions import shown


def by_name(torch):
    return observed(
        torch,
        lines("""
        x.max(dim='a',keepdim=True)
        x.std(unbiased='a')
        x.std(dim='a',unbiased=True,keepdim=True)
        x.sort(descending=1)
        x.sort(dim='a')
        x.sort(0,descending=1)
        x.squeeze(dim='a')
        x.clamp(min='a')
        x.div(2,rounding_mode=3)
        x.add(1,alpha='a')
        x.add('a',alpha=1)
        x.pow(exponent='a')
        x.sum(dim=0,keepdim=1)
        x.sum(foo=1)
        x.sum(0,foo=1)
        x.sum(0,dim=0)
        x.topk(1,largest='a')
        x.cumsum(0,dtype='a')
        x.sum(dtype='a')
    """),
    )


def methods(torch):
    return observed(
        torch,
        lines("""
        x.sort(0,1)
        x.view('a')
        x.view(2,'a')
        x.view(2.,3)
        x.view((2.,3))
        x.expand(2,'a')
        x.reshape(2,'a')
        x.reshape(2,3.)
        x.clamp('a')
        x.clamp(1,'a')
        x.clamp()
        x.scatter(0,0,1)
        x.div('a')
        x.pow()
        x.pow('a')
        x.pow(2,3)
        x.eq('a')
        x.eq()
        x.index_fill(0,0,1)
        x.repeat_interleave('a')
        x.tensor_split('a')
        x.narrow(0,0)
        x.sum(0,1)
        x.mm()
        x.mm(x,x)
        x.sum('a')
        x.transpose(0)
        x.transpose('a',1)
        x.permute('a')
        x.permute(0,'a')
        x.unsqueeze()
        x.unsqueeze('a')
        x.unsqueeze(0,1)
        x.squeeze('a')
        x.chunk('a')
        x.select('a',0)
        x.select(0,'a')
        x.gather('a',i)
        x.topk('a')
        x.topk()
        x.allclose('a')
        x.equal('a')
        x.isclose(1)
        x.expand_as(1)
        x.view_as(1)
        x.type_as(1)
        x.as_strided(1,1)
        x.as_strided((1,),'a')
        x.as_strided((1,),(1,),'a')
        x.flip('a')
        x.roll('a')
        x.cumsum()
        x.cumsum('a')
        x.argmax('a')
        x.argmax(0,'a')
        x.diag('a')
        x.tril('a')
        x.addmm(x,'a')
        x.outer(1)
        x.dot(1)
        x.backward('a')
        x.to('a')
        x.size('a')
        x.stride('a')
        x.new_zeros('a')
        x.new_full((2,),'a')
        x.new_tensor()
    """),
    )


def functions(torch):
    return observed(
        torch,
        lines("""
        torch.where(condition=3)
        torch.mul(x,other=2)
        torch.cat(x)
        torch.cat([x,1])
        torch.stack([x,'a'])
        torch.cat()
        torch.cat([x],dim='a')
        torch.zeros('a')
        torch.zeros(2,dtype='a')
        torch.zeros(2,foo=1)
        torch.zeros()
        torch.full((2,),'a')
        torch.full(2,3)
        torch.matmul(x)
        torch.matmul(x,2)
        torch.mm(x,'a')
        torch.abs('a')
        torch.abs()
        torch.abs(x,foo=1)
        torch.abs(input=x)
        torch.abs(input='a')
        torch.exp(3)
        torch.exp(3.0)
        torch.sin([1])
        torch.relu(2)
        torch.clamp(3,1,2)
        torch.max(3,4)
        torch.max(3)
        torch.sum([1,2])
        torch.mean(3)
        torch.arange('a')
        torch.arange()
        torch.eye('a')
        torch.zeros_like(3)
        torch.full_like(x,'a')
        torch.randn('a')
        torch.randint('a')
        torch.randint(3)
        torch.manual_seed('a')
    """),
    )


def names_of_numpy(torch):
    return observed(
        torch,
        lines("""
        x.sum(axis=0)
        x.sum(0,keepdims=True)
        x.max(axis=0)
        x.softmax(axis=0)
        torch.sum(a=x)
        torch.sum(x,axis=1)
        torch.add(x,x2=x)
        torch.cat([x],axis=0)
        x.mean(axis=1, keepdims=True)
        x.var(axis=0)
        torch.softmax(x, axis=1)
        torch.sum(x, axis=0, keepdims=True)
        x.max(axis=1, keepdims=True)
        x.argmax(axis=1)
    """),
    )


def refused_by_the_names_that_were_given(torch):
    return shown(
        torch,
        """
        np.sum(X.detach())
        np.mean(X.detach())
        np.any(X.detach())
        X.sum(axis="a")
        X.sum(axis=0, foo=3)
        X.sum(foo=3, axis=0)
        X.sum(0, axis=1)
        X.sum(axis=1, dim=0)
        X.mean(axis=5)
        X.max(axis=0, foo=1)
        X.argmax(axis="a")
        X.std(axis=0, ddof=1)
        X.squeeze(axis=0, foo=3)
        X.cumsum(axis=0, out=None)
        X.add(x2="a")
        X.add(x2=X, foo=1)
        torch.sum(X, axis="a")
        torch.cat([X], axis=0, foo=1)
        torch.squeeze(X, axis="a")
        """,
    )


def operators(torch):
    return observed(
        torch,
        lines("""
        x@2
        x@'a'
        2@x
    """),
    )


def in_place(torch):
    return observed(
        torch,
        lines("""
        x.fill_()
        x.fill_('a')
        x.copy_(3)
        x.copy_('a')
        x.add_('a')
        x.mul_()
        x.clamp_('a')
        x.pow_('a')
        x.masked_fill_('a',1)
        x.requires_grad_('a')
        x.resize_('a')
        x.resize_()
        x.bernoulli_('a')
    """),
    )


def names_of_types(torch):
    class Mine:
        pass

    given = {
        "a class": Mine(),
        "an array": np.ones(1),
        "a NumPy scalar": np.float32(1),
        "a dtype": torch.float32,
        "a layout": torch.strided,
        "a device": torch.device("cpu"),
        "a size": torch.Size([1]),
        "a generator": torch.Generator(),
        "a module": torch.nn.Identity(),
    }
    x = torch.ones(2)
    return {
        name: [
            outcome(lambda v=value: x.atan2(v)),
            outcome(lambda v=value: x.sum(dim=v)),
            outcome(lambda v=value: x.take(index=v)),
            outcome(lambda v=value: x[v]),
            outcome(lambda v=value: torch.from_numpy(v)),
        ]
        for name, value in given.items()
    }


def sources_of_fewer_dimensions(torch):
    return observed(
        torch,
        lines("""
        x.scatter(1,grid[:,:1],w)
        x.scatter(0,grid[:1],w)
        x.scatter_add(1,grid[:,:1],w)
        x.scatter(1,grid[:,:1],k)
    """),
    )


def no_tensors_for_losses(torch):
    return observed(
        torch,
        lines("""
        F.cross_entropy(x,[0,1])
        F.cross_entropy([1.],at)
        F.cross_entropy(x,at[:2],[1.,2.,3.])
        F.nll_loss(x,[0,1])
        F.nll_loss([1.],at)
        F.nll_loss(x,at[:2],[1.,2.,3.])
        F.nll_loss(x,None)
        F.mse_loss(x,1.)
        F.mse_loss(x,[1.])
        F.mse_loss([1.],x)
        F.mse_loss(x,None)
        F.l1_loss(x,1.)
        x.double(dtype=3)
    """),
    )


def one_error_is_told(torch):
    def told(call):
        try:
            call(torch.ones(2, 3))
        except (AttributeError, IndexError, RuntimeError) as error:
            return format_exc().count("Traceback"), str(error)

    return [
        told(lambda x: torch.nn.functional.mse_loss(x, 1.0)),
        told(lambda x: x.mean(axis=5)),
        told(lambda x: torch.sum(x, axis=(0, 0))),
        told(lambda x: torch.tensor_split(input=x, sections=2, dim=7)),
    ]


def sections_that_are_none(torch):
    return observed(
        torch,
        lines("""
        x.split('a')
        torch.split(x,'a')
        x.split(None)
        x.split([1.5])
        x.split([1,'a'])
        x.split(torch.tensor(1))
        x.split(torch.tensor([1,1]))
        x.sort(0,True,stable=True)
        torch.argsort(x.detach(),stable=True,dim=0)
        x.detach().sort(1,stable=True)
    """),
    )


def files_that_are_none(torch):
    nowhere = "no folder of this name/file"
    return [
        *[outcome(lambda file=file: torch.load(file)) for file in (3, None, [1], b"file")],
        *[outcome(lambda file=file: torch.save(torch.ones(1), file)) for file in (3, None)],
        outcome(lambda: torch.save(torch.ones(1), nowhere)),
        outcome(lambda: torch.load(nowhere)),
    ]


def layers_of_no_size(torch):
    sizes = [(2, 3.5), (2.5, 3), (4 / 2, 3), (3, "a"), ("a", 3), (None, 3), (3, None), (-1, 3)]
    return [outcome(lambda size=size: torch.nn.Linear(*size)) for size in sizes]
