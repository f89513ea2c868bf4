"""What the notebooks stand on when they are run as tests."""

import pytest

from tests import private_progress


def pytest_configure(config: pytest.Config) -> None:
    """Point away from the user's own progress before anything is imported or started."""
    private_progress.install(config)
