"""What the notebooks stand on when they are run as tests."""

import os
from collections.abc import Iterator

import pytest

from graders.live import STATIC
from tests import private_progress


def pytest_configure(config: pytest.Config) -> None:
    """Point away from the user's own progress before anything is imported or started."""
    private_progress.install(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Start the notebooks' kernels without widgets: a widget has another name in every run."""
    before = os.environ.get(STATIC)
    os.environ[STATIC] = "1"
    try:
        return (yield)
    finally:
        if before is None:
            del os.environ[STATIC]
        else:
            os.environ[STATIC] = before
