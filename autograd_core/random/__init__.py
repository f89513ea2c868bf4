"""Random numbers under PyTorch's name, `torch.random`: the same seed gives the same as there."""

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
