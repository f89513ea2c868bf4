"""New tensors: filled with one number, from data, evenly spaced; and the legacy constructors."""

from autograd_core.creation.filled import (
    empty,
    empty_like,
    empty_strided,
    fitting,
    full,
    full_like,
    new_empty,
    new_empty_strided,
    new_full,
    new_ones,
    new_zeros,
    ones,
    ones_like,
    ones_of,
    plain_number,
    zeros,
    zeros_like,
    zeros_of,
)
from autograd_core.creation.from_data import (
    as_tensor,
    asarray,
    from_numpy,
    new_tensor,
    scalar_tensor,
    tensor,
)
