"""`detect_anomaly` and `set_detect_anomaly`, under PyTorch's names."""

from __future__ import annotations

import warnings

from autograd_core import anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class _Restoring:
    """A context manager that at its end brings back the mode in which it was made."""

    def __init__(self) -> None:
        self.prev = anomaly.is_anomaly_enabled()
        self.prev_check_nan = anomaly.is_anomaly_check_nan_enabled()

    def __exit__(self, *exception: object) -> None:
        anomaly.set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly(_Restoring):  # noqa: N801 - PyTorch's name
    """Within it a failing backward names the forward line that made the failing node.

    With `check_nan` a gradient that holds a nan makes backward fail, too. Slow: for debugging.
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        anomaly.set_anomaly_enabled(True, self.check_nan)


class set_detect_anomaly(_Restoring):  # noqa: N801 - PyTorch's name
    """Set the mode at once, as a function; as a context manager, put the former one back."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__()
        anomaly.set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass
