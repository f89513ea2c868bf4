"""The real PyTorch, in the version and the state in which programs are compared."""

import warnings
from types import ModuleType

VERSION = "2.13.0"


def load() -> ModuleType:
    """PyTorch `VERSION`, ready to be observed.

    Raises ImportError, which says why, when PyTorch is absent or of another version.
    """
    try:
        import torch
    except ImportError as error:
        raise ImportError("PyTorch is not installed (extra: parity)") from error
    if torch.__version__.partition("+")[0] != VERSION:
        raise ImportError(f"parity is with PyTorch {VERSION}, not {torch.__version__}")
    # The first dual tensor compiles decompositions, with warnings that concern no program.
    forward_ad = torch.autograd.forward_ad
    with warnings.catch_warnings(), forward_ad.dual_level():
        warnings.simplefilter("ignore", DeprecationWarning)
        forward_ad.make_dual(torch.tensor(1.0), torch.tensor(1.0))
    return torch
