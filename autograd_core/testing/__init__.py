"""Helpers for tests, under PyTorch's name `torch.testing`."""

from autograd_core.messages.unsupported import refusing
from autograd_core.testing.comparison import assert_allclose, assert_close
from autograd_core.testing.making import make_tensor

__getattr__ = refusing(__name__)
