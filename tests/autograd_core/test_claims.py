"""The list of claims is true of autograd_core."""

import pytest

import autograd_core
from tests.parity.claims import CLAIMS
from tests.parity.claims.autodiff_overview import documents_program


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_claim_holds(claim):
    assert claim.deviations(autograd_core) == []


def test_every_claim_of_the_four_documents_is_in_the_table():
    counts = {"leaf": 11, "auto": 13, "req": 4, "dirty": 15}
    expected = [f"{name}-{n}" for name, count in counts.items() for n in range(1, count + 1)]
    assert [claim.id for claim in CLAIMS] == expected


def test_make_dot_leaves_out_the_detached_branch():
    whole = str(autograd_core.make_dot(documents_program(autograd_core).z))
    detached = str(
        autograd_core.make_dot(documents_program(autograd_core, detach_before_log=True).z)
    )
    assert "LogBackward0" in whole
    assert "LogBackward0" not in detached
    assert "SinBackward0" in detached
