"""Other ways to see a tensor: turned, of more dimensions, of fewer, a part of it."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome
from tests.parity.sessions import shown


def of_at_least_so_many_dimensions(torch):
    return shown(
        torch,
        """
        torch.atleast_1d(t(1.0), t([2.0]))
        torch.atleast_2d(t(1.0), t([2.0]))
        torch.atleast_2d((t(1.0), t([2.0])))
        torch.atleast_2d([t(1)])
        torch.atleast_1d()
        torch.atleast_1d(3)
        torch.atleast_1d([t(3), 4])
        torch.atleast_1d(t(1.0))
        """,
    )


def transposed_in_words(torch):
    return shown(
        torch,
        """
        S.T
        A.T
        X.T, A.T.shape
        S.mT, S.mH, S.H
        torch.adjoint(S), S.adjoint()
        A.adjoint().shape
        """,
    )


def unflattened(torch):
    x, s = torch.ones(2, 2), torch.tensor(5.0)
    tried = [
        outcome(lambda: x.unflatten(0, (-1, -1))),
        outcome(lambda: x.unflatten(0, (-1, -1, 2))),
        outcome(lambda: s.unflatten(0, (1,))),
        outcome(lambda: s.unflatten(0, (-1, -1))),
        outcome(lambda: s.unflatten(-1, ())),
        outcome(lambda: x.unflatten(5, (1,))),
    ]
    # PyTorch goes on to say where in its own code that was.
    return [{**each, "says": each["says"].partition("\nException raised")[0]} for each in tried]


def transposed(torch):
    return observed(
        torch,
        lines("""
        x.T
        w.mT
        x.mT
        k.mT
        x.H
        w.H
        k.H
        x.mH
        k.mH
        w.mH
        x.adjoint()
        k.adjoint()
        w.adjoint()
    """),
    )


def whereabouts(torch):
    return observed(
        torch,
        lines("""
        o.nonzero(as_tuple=True)
        torch.nonzero(o, as_tuple=True)
        torch.nonzero(s, as_tuple=True)
        x.narrow(0, 0, 3)
        x.narrow(0, -1, 1)
        x.narrow(0, 3, 0)
        x.narrow(0, 0, -1)
        x.narrow(2, 0, 1)
        x.narrow(1, -4, 1)
        x.narrow(1, 2, 2)
        s.narrow(0, 0, 1)
        torch.zeros(3)[3:].storage_offset()
        torch.zeros(3)[1:1].storage_offset()
        torch.zeros(3, 4)[1:, 4:].storage_offset()
        hash(x) == id(x)
    """),
    )


def sizes_that_do_not_multiply_up(torch):
    return shown(
        torch,
        """
        torch.nn.Unflatten(1, (2, 3))(torch.ones(2, 4))
        torch.nn.Unflatten(5, (2, 2))(torch.ones(2, 4))
        torch.nn.Unflatten(-1, (2, -1))(torch.ones(2, 4, requires_grad=True))
        torch.ones(4).unflatten(0, (-1, 0))
        """,
    )
