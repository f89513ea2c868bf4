"""The list of claims is true of PyTorch itself."""

import pytest

from . import pytorch
from .claims import CLAIMS

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_claim_holds_in_pytorch(claim):
    assert claim.deviations(torch) == []
