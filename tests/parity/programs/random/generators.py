"""Generators: their state, kept, set and copied."""

from tests.parity.sessions import shown


def their_state(torch):
    return shown(
        torch,
        """
        g = torch.Generator().manual_seed(3)
        g.initial_seed(), g.device
        h = g.clone_state()
        torch.rand(2, generator=g), torch.rand(2, generator=h)
        s = g.get_state()
        torch.rand(2, generator=g), g.set_state(s) is g, torch.rand(2, generator=g)
        a = torch.randn(3, generator=g)
        s = g.get_state()
        torch.randn(1, generator=g), g.set_state(s) is g, torch.randn(1, generator=g)
        g.set_state(torch.ones(3, dtype=torch.uint8))
        g.set_state(torch.ones(3))
        g.set_state(3)
        g.manual_seed(2**64)
        g.seed() == g.initial_seed()
        torch.seed() == torch.initial_seed()
        s = torch.get_rng_state()
        a = torch.rand(3)
        torch.set_rng_state(s)
        torch.equal(a, torch.rand(3))
        """,
    )
