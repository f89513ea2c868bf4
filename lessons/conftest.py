"""Set-up for running the notebooks as tests."""

import os
from collections.abc import Iterator

import pytest

from graders.live import STATIC
from tests import kernels, private_progress


def pytest_configure(config: pytest.Config) -> None:
    """Use another folder than the user's own progress, before anything is imported or started."""
    private_progress.install(config)
    kernels.install(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Start the notebooks' kernels without widgets, whose ids differ in every run."""
    before = os.environ.get(STATIC)
    os.environ[STATIC] = "1"
    try:
        return (yield)
    finally:
        if before is None:
            del os.environ[STATIC]
        else:
            os.environ[STATIC] = before
