"""Anomaly mode under PyTorch's name, `torch.autograd.anomaly_mode`."""

from autograd_core.modes.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
