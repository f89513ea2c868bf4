"""Masks of several dimensions next to other index tensors, and what else indices come with."""

import numpy as np

from tests.parity.harness import outcome
from tests.parity.sessions import shown

_MASKS = """
        B = torch.arange(120).reshape(2, 3, 4, 5)
        M = t([[True, False, False, True]] * 3)
        N = t([[True, False, True], [False, True, True]])
"""


def read(torch):
    return shown(
        torch,
        f"""{_MASKS}
        A[:, M]
        A[N]
        A[N, 0]
        A[N, [0, 1, 2, 3]]
        A[N, t([0])]
        A[N, 1:]
        B[:, M, [0]]
        B[:, M, t([0, 1, 2, 3, 4, 0])]
        B[t([0, 1, 0, 1, 0, 1]), M].shape
        B[t([0]), M, 0].shape
        B[..., t([[True] * 5] * 4)].shape
        B[N, :, t([0])].shape
        B[None, N].shape
        A[t([0, 1]), M]
        A[N, [0, 1]]
        A[:, N]
        """,
    )


def written(torch):
    return shown(
        torch,
        f"""{_MASKS}
        A[N, [0, 1, 2, 3]] = -1
        A
        A[N, t([0])] += 100
        A
        A[:, M] = 0
        A
        B[:, M, t([0])] = t(7)
        B.sum()
        A[N, 0] = t([5, 6, 7, 8])
        A
        del A[0]
        A[0] = np.array([1, 2])
        """,
    )


def gradients(torch):
    x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
    mask = torch.tensor([[True, False, True], [False, True, True]])
    part = x[mask, torch.tensor([0, 1, 2, 0])]
    (part * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    return [part, x.grad]


def of_a_number(torch):
    return shown(
        torch,
        """
        S[1.5]
        S["a"]
        S[{0}]
        S[object()]
        S[[0, None]]
        S[2**70]
        S[1.5] = 0
        """,
    )


def masks_of_bytes_beside_arrays(torch):
    mask, seen = torch.tensor([0, 1], dtype=torch.uint8), []
    for index in ((mask, np.array([0, 1])), (mask, slice(None), np.array([0])), (mask,)):
        x = torch.zeros(2, 2, 2)

        def write(x=x, index=index):
            x[index] = 2.0
            return x

        seen.append(outcome(write))
    return seen


def masks_of_bytes(torch):
    return shown(
        torch,
        """
        x, m = torch.zeros(3, 4), torch.tensor([1, 0, 1], dtype=torch.uint8)
        x[m] = 1
        x[m, 0] = 1
        x[m, 1:] = torch.tensor([2.0])
        x[m] = torch.ones(4)
        x[:2][:, torch.tensor([1, 0, 1, 0], dtype=torch.uint8)] = 3.0
        x.index_put_((m,), torch.tensor(1.0))
        x.index_put((m,), torch.tensor(1.0))
        x.index_put((m,), torch.ones(2, 4) * 5)
        x[torch.tensor(1, dtype=torch.uint8)] = 5
        x[m.bool()] = 8
        x
        """,
    )
