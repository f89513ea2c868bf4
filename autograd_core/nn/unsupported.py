"""Layers and optimizers of PyTorch that this package has not: asking for them says so by name."""

from __future__ import annotations

from typing import Any

from autograd_core.messages.unsupported import absent, refusal

_DIMENSIONS = ("1d", "2d", "3d")
_OF_IMAGES = ("Conv", "ConvTranspose", "MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool")
_NORMALISING = ("InstanceNorm", "Dropout", "LazyConv", "LazyBatchNorm")

LAYERS = {
    *[kind + size for kind in (*_OF_IMAGES, *_NORMALISING) for size in _DIMENSIONS],
    "GroupNorm", "RMSNorm", "LocalResponseNorm", "SyncBatchNorm",
    "EmbeddingBag", "RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell", "Transformer",
    "TransformerEncoder", "TransformerDecoder", "TransformerEncoderLayer",
    "TransformerDecoderLayer", "MultiheadAttention", "Bilinear", "LazyLinear", "AlphaDropout",
    "Upsample", "PixelShuffle", "PixelUnshuffle", "Fold", "Unfold", "DataParallel", "PReLU", "GLU",
    "Hardsigmoid", "Hardswish", "Hardshrink", "Softshrink", "Softmin", "Tanhshrink", "Threshold",
    "CosineSimilarity", "PairwiseDistance", "KLDivLoss", "CTCLoss", "PoissonNLLLoss",
    "GaussianNLLLoss", "MarginRankingLoss", "HingeEmbeddingLoss", "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss", "CosineEmbeddingLoss", "MultiMarginLoss", "TripletMarginLoss",
    "SoftMarginLoss",
}  # fmt: skip
OPTIMIZERS = {
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adamax", "LBFGS", "Muon", "NAdam", "RAdam",
    "RMSprop", "Rprop", "SparseAdam", "swa_utils",
}  # fmt: skip


_KINDS = {"nn": (LAYERS, "layer"), "optim": (OPTIMIZERS, "optimizer")}


def refusing(module: str) -> Any:
    """Return the `__getattr__` of `nn` or `optim`, which refuses by name what it has not."""
    known, kind = _KINDS[module]

    def refuse(name: str) -> Any:
        if name in known:
            raise refusal(f"torch.{module}.{name}", f"that {kind}")
        raise absent(module, name)

    return refuse
