"""Calls whose arguments all go by PyTorch's names, and what is refused of them."""

from tests.parity.sessions import shown

_METHODS = """
X.repeat(repeats=(2, 1))
S.repeat(repeats=[2])
X.hsplit(sections=2)
X.vsplit(indices=(1,))
X.tensor_split(sections=2, dim=1)
X.tensor_split(indices=[1])
X.tensor_split(tensor_indices_or_sections=t(2))
X.detach().clone().resize_(size=(1, 2))
X.clone().addmm_(mat1=X, mat2=X, beta=2)
A.double().baddbmm_(batch1=t([[[1.0]], [[2.0]]]).double().expand(2, 3, 3), batch2=A.double())
(X * 1).logical_and_(other=X > 1)
X.clone().logical_xor_(other=X)
t([1, 2, 3]).bitwise_and_(other=2)
t([True, False]).bitwise_or_(other=t(True))
t([1, 2, 3]).bitwise_left_shift_(other=t([1, 1, 2]))
"""
_FUNCTIONS = """
torch.hsplit(input=X, sections=1)
torch.vsplit(input=X, indices=[1])
torch.tensor_split(input=X, sections=2, dim=1)
torch.pow(self=2, exponent=X)
torch.remainder(self=7, other=t([2.0, 3.0]))
torch.xlogy(self=2, other=X)
torch.bitwise_xor(self=5, other=t([1, 4]))
torch.where(condition=X > 1, self=0, other=X)
torch.where(condition=X > 1, self=0, other=2.5)
torch.clamp_(input=X.clone(), min=1, max=2)
torch.clamp_(input=X.clone(), max=t(1.5))
torch.clip_(input=X.clone(), min=2)
torch.clamp_min_(input=X.clone(), min=2)
torch.fill_(input=X.clone(), value=3)
torch.round_(input=X / 3)
torch.round_(input=X / 3, decimals=1)
torch.index_put_(input=X.clone(), indices=(t([0]),), values=t(9.0), accumulate=True)
torch.resize_as_(input=t([1, 2, 3]), the_template=t([4, 5]))
torch.as_strided_(input=A.clone(), size=(2, 2), stride=(1, 4))
torch.exp_(input=X * 1)
torch.abs_(input=A.clone())
torch.detach(input=X)
torch.sin_(foo=X * 1)
X.exp_(input=X)
"""
_REFUSED = """
X.repeat(repeats=2.5)
X.repeat((1, 1), repeats=(1, 1))
X.hsplit(sections=2, indices=(1,))
X.hsplit(sections="a")
X.fill_(input=X, value=2)
X.logical_and_(self=X, other=X)
torch.pow(self=X, exponent=2)
torch.add(self=2, other=X)
torch.fill_(input=X.clone(), value="a")
torch.clamp_(input=X.detach(), min=1, most=2)
torch.where(condition=X > 1, self=0)
"""


def methods(torch):
    return shown(torch, _METHODS)


def functions(torch):
    return shown(torch, _FUNCTIONS)


def refused(torch):
    return shown(torch, _REFUSED)


def old_orders_and_two_names(torch):
    return shown(
        torch,
        """
        x = torch.ones(2)
        torch.addcmul(x, 2, x, 'a')
        x.addcmul(2, x, None)
        torch.sum(x, dim=0, axis=0)
        torch.cat([x], dim=0, axis=0)
        torch.unsqueeze(x, dim=0, axis=0)
        x.permute(dims=['a'])
        torch.permute(x, dims=[0.5, 1])
        """,
    )
