"""`repeat_interleave`: elements repeated as often as others say."""

from tests.parity.sessions import shown


def places_repeated(torch):
    return shown(
        torch,
        """
        repeat = torch.repeat_interleave
        repeat(t([1, 0, 2])), repeat(t([1, 2], dtype=torch.int32)), repeat(t([], dtype=torch.int64))
        repeat(t([1, 2]), output_size=3), repeat(repeats=t([1, 2])), repeat(t([5, 6]), 2)
        repeat(t([1, 2]), output_size=4)
        repeat(t(2))
        repeat(t([[1, 2]]))
        repeat(t([1, -1]))
        repeat(t([1.5, 2]))
        repeat(2)
        repeat([1, 2])
        repeat()
        repeat(t([1, 2]), dim=0)
        repeat(t([1, 2]), 'a')
        t([1, 2]).repeat_interleave()
        """,
    )


def numbers_repeated(torch):
    return shown(
        torch,
        """
        S.repeat_interleave(2, 0)
        S.repeat_interleave(2, -1)
        S.repeat_interleave(-2, 0)
        S.repeat_interleave(t(2), 0)
        S.repeat_interleave(2), S.repeat_interleave(t([3])), t([1, 2]).repeat_interleave(t(2), 0)
        t([1, 2]).repeat_interleave(t([[2, 1]]))
        """,
    )
