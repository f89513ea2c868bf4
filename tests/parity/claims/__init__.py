"""The claims of the four documents, with what really happens, as one table.

Ids are those of the list of claims. `CLAIMS` runs against PyTorch and against autograd_core with
the same literal expectations, so that neither the list nor the engine can drift from PyTorch.
"""

from . import autodiff_overview, leaf_nodes, mark_dirty, requires_grad
from .claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *leaf_nodes.claims,
    *autodiff_overview.claims,
    *requires_grad.claims,
    *mark_dirty.claims,
)
