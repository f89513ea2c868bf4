"""Layers under the longer of PyTorch's names, `torch.nn.modules`."""

from autograd_core.nn.modules import module
