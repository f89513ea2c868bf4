"""Forward mode under PyTorch's name, `torch.autograd.forward_ad`."""

from autograd_core.forward_ad import UnpackedDualTensor, dual_level, make_dual, unpack_dual

__all__ = ["UnpackedDualTensor", "dual_level", "make_dual", "unpack_dual"]
