"""Random numbers, as `torch.random`: a seed gives the same numbers as in PyTorch."""

from autograd_core.random.generator import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
