"""Reading parts of tensors, as somebody types it."""

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown


def numbers(torch):
    return shown(
        torch,
        """
        A[0], A[-1], A[0,1], A[0,1,2], A[...,0], A[0,...], A[:,None].shape, A[None].shape, A[None,None].shape
        A[3]
        A[0,3]
        A[0,0,-5]
        A[0,0,0,0]
        A[...,0,0,0,0]
        A[0,0,0,0:1]
        A[None,0,0,0,0]
        A[-4]
        A[:,5]
        """,
    )


def slices(torch):
    return shown(
        torch,
        """
        A[1:], A[:1], A[::2], A[5:], A[-1:], A[2:1], A[1:100].shape, A[-100:1].shape
        A[::-1]
        A[::0]
        A[1.5]
        A["a"]
        A[0,"a"]
        A[1.5:2]
        A["a":]
        A[t(1):t(2)].shape
        A[t(1.):]
        A[object()]
        A[{1}]
        """,
    )


def none_and_ellipsis(torch):
    return shown(
        torch,
        """
        A[None,...,None].shape
        A[...,...].shape
        A[True].shape, A[False].shape
        A[True,0].shape, A[0,True].shape, A[0,False].shape
        """,
    )


def lists(torch):
    return shown(
        torch,
        """
        A[[0,1]].shape, A[[0,1],[1,2]].shape, A[[0],:,[1]].shape, A[:,[0,1]].shape, A[[True,False]].shape
        A[[0,5]]
        A[[0,-3]]
        A[:,[0,7]]
        """,
    )


def index_tensors(torch):
    return shown(
        torch,
        """
        A[t([0,1])].shape, A[t([[0,1],[1,0]])].shape, A[t([0,1]),t([1,2])].shape, A[t([0,1]),:,t([1,2])].shape, A[:,t([0,1]),t([1,2])].shape, A[0,t([0,1])].shape, A[t([0]),1].shape, A[0,:,t([0,1])].shape, A[t([0,1]),None].shape, A[None,t([0,1])].shape, A[...,t([0,1])].shape
        A[t([0,1]),t([0,1,2])]
        A[t([[0],[1]]),t([0,1,2])].shape
        A[t(0)].shape, A[t(0),t(1)].shape, A[t(0),t([1])].shape, A[t([0,1]),t(0)].shape
        A[t([0.])]
        A[t(0.)]
        A[t([0],dtype=torch.int32)].shape, A[t([0],dtype=torch.int16)].shape
        A[t([0],dtype=torch.int8)]
        A[t([0,1],dtype=torch.uint8)]
        """,
    )


def masks(torch):
    return shown(
        torch,
        """
        A[t([True,False])].shape, A[t([True,False]),0].shape, A[:,t([True,False,True])].shape, A[t([[True,False,True],[False,True,False]])].shape
        A[t([True,False,True])]
        A[t([[True,False],[False,True]])]
        A[:,t([True,False])]
        A[t(True)].shape, A[t(False)].shape, A[t(True),0].shape
        A[A>10], A[A>100]
        A[t([True,False]),[0,1]].shape
        A[t([True,True]),[0,1]].shape
        A[t([True,True]),[0,1,2]]
        """,
    )


def arrays_and_sequences(torch):
    return shown(
        torch,
        """
        A[np.array([0,1])].shape, A[np.array([True,False])].shape, A[np.int64(1)].shape, A[np.array(1)].shape, A[np.array([0]),np.array([1])].shape
        A[np.array([1.])]
        A[np.array([0,5])]
        A[range(2)].shape
        A[(0,1)].shape, A[[0,1],].shape
        A[()]
        A[[]].shape, A[t([])].shape, A[t([],dtype=torch.int64)].shape, A[np.array([])].shape
        A[[[0,1],[1,0]]].shape
        A[[[0,1],[1]]]
        A[[0,1.5]]
        A[[0,"a"]]
        A[[None]].shape
        A[[slice(0,1)]]
        A[[slice(0,1),0]].shape
        A[[t(0),t(1)]].shape
        A[[Ellipsis,0]].shape
        """,
    )


def of_a_number(torch):
    return shown(
        torch,
        """
        S[0]
        S[...], S[None], S[()], S[True], S[False].shape, S[t(True)], S[...,None]
        S[:]
        S[t(0)]
        S[[0]]
        S[[]]
        S[0,0]
        S["a"]
        S[None,0]
        torch.zeros(0)[0]
        torch.zeros(0)[:1], torch.zeros(0,3)[:,0].shape
        torch.zeros(0)[t([0])]
        torch.zeros(3,0)[t([0,1])].shape
        torch.zeros(0,3)[t([0])]
        """,
    )


def nodes(torch):
    return shown(
        torch,
        """
        (X[0]).grad_fn, X[0:1].grad_fn, X[:].grad_fn, X[...].grad_fn, X[None].grad_fn, X[0,0].grad_fn, X[[0]].grad_fn, X[X>0].grad_fn, X[True].grad_fn, X[t(0)].grad_fn, X[0,[0]].grad_fn, X[()].grad_fn
        chain(X[0,0]), chain(X[0,1:]), chain(X[None,0]), chain(X[...,0]), chain(X[:,0]), chain(X[0:1,0:1]), chain(X[0,None]), chain(X[:,None]), chain(X[None,...]), chain(X[:,:]), chain(X[0,...]), chain(X[0,:]), chain(X[:,1:])
        chain(X[0,[0]]), chain(X[1:,[0]]), chain(X[None,[0]]), chain(X[[0],None]), chain(X[True]), chain(X[True,0]), chain(X[0,True]), chain(X[:,[0]]), chain(X[...,[0]]), chain(X[[0],0]), chain(X[t(0)]), chain(X[t(0),0]), chain(X[:,t(0)]), chain(X[False]), chain(X[None])
        """,
    )


def strides_and_offsets(torch):
    return shown(
        torch,
        """
        A.is_contiguous(), A[:,t([1,0])].is_contiguous()
        A.select(0,1).shape, A.select(0,5)
        A[2**70]
        A[0:2**70].shape
        A[t([0,1]),True].shape
        A[t(2)]
        A[t(True),t(False)].shape
        A[[[[0]]]].shape
        A[np.array([[0]])].shape
        A[([0],[1])].shape
        A[[True,True],[0,1]].shape
        A[t([0,2])]
        A[t([-1])].shape
        A[t([-3])]
        A[:,:,:,0]
        A[:,:,:,None].shape
        A[0][1][2]
        A[t([0]),t([0]),t([0]),t([0])]
        A[t([[[True]]])]
        A[t([0]),...].shape, A[...,t([0]),:].shape, A[...,None,t([0])].shape, A[t([0]),None,t([0])].shape
        """,
    )


def more(torch):
    return shown(
        torch,
        """
        A[None,5]
        A[...,5]
        A[:,:,7]
        A[None,:,5]
        A[np.array(1)].shape
        A[np.array([True,False])].shape
        A[np.array([[True,False,True],[False,False,True]])].shape
        A[np.array([[0]])].shape
        A[np.array([1.]),0].shape
        A[0,np.array(1)].shape
        A[np.int8(1)].shape
        A[[]].shape, A[np.array([])].shape
        A[t([0],dtype=torch.int32)].shape
        A[t([0],dtype=torch.int16)].shape
        A[t(1,dtype=torch.uint8)].shape
        A[t(1,dtype=torch.int8)].shape
        A[t(1,dtype=torch.int16)].shape
        A[t([1,0]), t([5,0])]
        A[t([5,0]), t([1,0])]
        A[t([0,1]), t([0,5])]
        X[:].grad_fn, X[0:].grad_fn, X[:,:].grad_fn, X[:,0:2].grad_fn
        A[1:1,0].shape
        A[(slice(None),None,0)].shape
        A["ab"]
        A[b"a"]
        A[[0]*40].shape
        A[[True]].shape
        A[[[True,False,True],[False,False,True]]].shape
        A[((0,1),(0,1))].shape
        A[[(0,1)]].shape
        A[:,(0,1)].shape
        A[0:1.0]
        A[torch.Size([0,1])].shape
        A[A>3].sum()
        A[A>3,0]
        A[None,A>3].shape
        A[A[:,:,0]>3].shape
        A[:,A[0]>3].shape
        A[t([0,1])[:,None],t([1,2])].shape
        A[1,t([0,1]),1:3].shape
        A[t([0,1]),1,1:3].shape
        A[:,0,t([0,1])].shape
        A[t([[0,1]]),None,:,t([[1],[0]])].shape
        S[None,None].shape, S[True,True].shape, S[...,True].shape
        S[t([True])]
        S[t([0])]
        S[A]
        A[A]
        torch.zeros(3,0)[1].shape, torch.zeros(3,0)[:,0]
        torch.zeros(3,0)[:,t([],dtype=torch.int64)].shape
        A[3,t([0])]
        A[t([0]),3]
        X[0,[0]]._is_view(), X[0]._is_view(), X[True]._is_view()
        X[1][0], X[1,0], X[-1,-1]
        X[1:][0].grad_fn.name(), X[t([True,False])].grad_fn.name()
        """,
    )


def items_of_numbers(torch):
    return shown(
        torch,
        """
        S[np.int64(0)]
        S[np.int64(0), ]
        S[True, 0]
        X[0][0][np.int64(0)]
        torch.zeros(0)[np.int64(0)]
        S[np.int64(0)] = 1
        """,
    )


def several_ellipses(torch):
    return shown(
        torch,
        """
        A[..., ..., :].shape, A[0, ..., ..., :].shape
        A[..., ..., 1]
        m = A[0].clone()
        m[..., ...], m[..., 1, ...], m[..., ..., :, :]
        m[..., ..., :] = -1
        m, m._version
        m[..., ..., 0]
        m[..., ..., ..., -1] = 2
        m[..., ..., 1:]
        m[..., ..., ::2] = 3
        m[..., ..., [0]]
        m[..., ..., t([True, False])] = 4
        m, m._version
        """,
    )


def indices_of_another_round(torch):
    return observed(
        torch,
        lines("""
        torch.take_along_dim(x, torch.tensor([[-1]]), 1)
        torch.take_along_dim(x, torch.tensor([[-4, 3]]), 1)
        torch.take_along_dim(x, torch.tensor([-1, 6]))
        torch.take_along_dim(s, torch.tensor(0), -1)
        torch.take_along_dim(x, torch.tensor([[0]]), 0).grad_fn._saved_index.stride()
        """),
    )
