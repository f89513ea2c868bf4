"""`einsum`: which operators it is made of, how its results lie in memory, and what it refuses."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import graph, outcome
from tests.parity.sessions import shown

_LENGTHS = {"i": 2, "j": 3, "k": 4, "l": 5, "b": 6}


def graphs(torch):
    def seen(equation):
        terms = equation.partition("->")[0].split(",")
        shapes = [[_LENGTHS[letter] for letter in term] for term in terms]
        tensors = [torch.ones(shape, requires_grad=True) for shape in shapes]
        result = torch.einsum(equation, *tensors)
        grads = torch.autograd.grad(result.sum(), tensors)
        strides = [each.stride() for each in (result, *grads)]
        return [equation, result, result._is_view(), graph(result.grad_fn), strides[0]]

    equations = """
        ij->ji  ij->i  ij->  ii->i  ii  iij->j  ij,jk->ik  ij,jk->ki  ij,kj->ik  ij,jk->  ij,ij->
        ij,j->i  ij,j->ij  i,j->ij  i,i  i,i->i  bij,bjk->bik  bij,bjk->bki  bij,bjk->kb
        ij,jkl->kil  ij,jkl->lki  ikj,jl->lik  ikj,jl->ilk  bi,bj->  i,j,k->  i,j,k->kji
        ij,jk,kl->il  bij,bjk,bkl->bil  ii,i->i  ij,kj,lj->ikl  jkl,j->lk
    """
    return [seen(equation) for equation in equations.split()]


def lists_and_mistakes(torch):
    return observed(
        torch,
        lines("""
        torch.einsum(x,[0,1],q,[1,2],[0,2])
        torch.einsum(x,[0,1],q,[1,2])
        torch.einsum(x,[...,1],[1,...])
        torch.einsum(x,[0,27])
        torch.einsum(x,[0,60])
        torch.einsum(x)
        torch.einsum()
        torch.einsum('ij')
        torch.einsum('ij',3)
        torch.einsum('ij',[x,None])
        torch.einsum(3,x)
        torch.einsum('i1',x)
        torch.einsum('i..',x)
        torch.einsum('ij-ji',x)
        torch.einsum('ij->i.',x)
        torch.einsum('ij,jk->ik',x[:,:0],q[:0])
        torch.einsum('ij,jk->ik',x,q.double())
    """),
    )


def stable_only_by_name(torch):
    return observed(
        torch,
        lines("""
        x.sort(0,stable=True)
        x.sort(0,True,stable=True)
        x.sort(stable=1)
        x.sort(dim=0,stable=True)
        torch.sort(x,0,stable=True)
        torch.argsort(x,0,stable=True)
        torch.argsort(x,0,True,stable=True)
        x.argsort(stable=True,descending=True)
    """),
    )


def spread_in_the_wrong_form(torch):
    return observed(
        torch,
        lines("""
        x.var(unbiased=False,keepdim=True)
        x.std(unbiased=True,keepdim=True)
        x.var(None,unbiased=False,keepdim=True)
        torch.var_mean(x,unbiased=False,keepdim=True)
        torch.std_mean(x,False)
        torch.std(x,unbiased=False,dim=0)
    """),
    )


def places_of_what_is_indexed(torch):
    def seen(x, index):
        return outcome(lambda: x[index].stride())

    index, mask = torch.tensor([[0, 1], [1, 0]]), torch.tensor([True, False, True, True])
    line = torch.tensor([0, 1])
    dims = slice(None)
    x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
    y = torch.arange(12.0).reshape(3, 4)
    return [
        [seen(x, each) for each in (line, (dims, line), (..., line), (line, dims, line))],
        [seen(x, each) for each in (index, (dims, index), (..., index), (line, line), mask)],
        [seen(x, each) for each in ((dims, line, line), (index, dims, index), x > 3)],
        [seen(y.t(), each) for each in (line, (dims, line), (dims, index), mask, y.t() > 3)],
        [seen(y[::2, ::3], each) for each in (line, (dims, line))],
    ]


def of_two_dtypes(torch):
    return shown(
        torch,
        """
        x, y = torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64)
        torch.einsum('ij,jk->ik', x, y)
        torch.einsum('ij,ij', x.long(), x)
        torch.einsum('ij,ij->ij', x, y)
        torch.einsum('ij,k->ijk', x, y[0])
        """,
    )
