"""What is chosen among elements: extremes on the way, the k-th, the most frequent."""

from tests.parity.expressions import lines, observed
from tests.parity.sessions import shown


def kth_and_most_frequent(torch):
    return shown(
        torch,
        """
        torch.tensor([True, False]).kthvalue(1)
        torch.zeros(0, 3).kthvalue(1, 0)
        torch.zeros(0, 3).mode(1)
        torch.zeros(0, 3).mode(0)
        torch.tensor([1.0, float('nan'), 3.0, float('nan')]).mode()
        torch.tensor([15, 25]).round(decimals=-1)
        """,
    )


def extremes_in_twos(torch):
    return observed(
        torch,
        lines("""
        x.cummax(1)
        torch.cummax(x, dim=0)
        x.cummin(1)
        t.cummax(1)
        t.cummin(1)
        nan.cummax(0)
        nan.cummin(0)
        i.cummax(0)
        s.cummax(0)
        x.cummax(2)
        torch.aminmax(x)
        x.aminmax(dim=1)
        t.aminmax(dim=1, keepdim=True)
        t.aminmax()
        i.aminmax()
        z.aminmax()
        s.aminmax(dim=0)
        s.aminmax(dim=0, keepdim=True)
    """),
    )
