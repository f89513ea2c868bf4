"""Storages, typed and untyped: what they hold and what they say."""

import warnings

from tests.parity.sessions import shown


def what_they_hold(torch):
    with warnings.catch_warnings():
        # The first one in a process is told that it is deprecated.
        warnings.simplefilter("ignore")
        torch.ones(1).storage()
    return shown(
        torch,
        """
        torch.arange(3).storage().tolist()
        list(torch.ones(2).storage()), len(torch.ones(2).storage()), torch.ones(2).storage().size()
        torch.arange(3).storage()[1]
        torch.arange(3).storage()
        torch.ones(2).storage().nbytes()
        torch.ones(2, dtype=torch.float64).storage().dtype, torch.ones(2).storage().device
        torch.ones(2).storage().untyped().nbytes()
        x = torch.ones(2)
        x.storage().data_ptr() == x.data_ptr()
        torch.ones(2).untyped_storage().device
        torch.ones(2, dtype=torch.uint8).untyped_storage()[0]
        torch.tensor([1, 2], dtype=torch.uint8).untyped_storage()
        """,
    )
