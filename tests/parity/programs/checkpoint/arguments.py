"""Arguments of `checkpoint` that are refused or warned of."""

from tests.parity.sessions import shown


def refused_and_warned_of(torch):
    return shown(
        torch,
        """
        import importlib
        loaded = importlib.import_module(torch.__name__ + ".utils.checkpoint")
        checkpoint, checkpoint_sequential = loaded.checkpoint, loaded.checkpoint_sequential
        x = torch.ones(2, requires_grad=True)
        checkpoint(torch.exp, x)
        checkpoint(torch.exp, x, use_reentrant=True, other=3)
        checkpoint(torch.exp, x, use_reentrant=True, debug=True)
        checkpoint(torch.exp, x, use_reentrant=False, determinism_check='sometimes')
        checkpoint(torch.exp, x.detach(), use_reentrant=True)
        torch.autograd.grad(checkpoint(torch.exp, x, use_reentrant=True).sum(), x)
        checkpoint(lambda v: v.detach(), x, use_reentrant=True).sum().backward()
        checkpoint_sequential([torch.exp, torch.sin], 2, x)
        checkpoint_sequential([torch.exp], 1, x, use_reentrant=True, other=3)
        """,
    )
