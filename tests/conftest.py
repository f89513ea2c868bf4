"""What all tests stand on."""

import gc
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import kernels, private_progress

LONGEST = (
    "tests/browser/test_lessons.py",
    "tests/browser/test_site.py",
    "tests/browser/",
    "tests/hostile/",
    "tests/binder/",
    "tests/graders/exercises/test_exercises.py",
    "tests/graders/run/test_kills.py",
    "tests/lessons/test_nbgrader.py",
)
"""Files and folders that take minutes."""

LEAVING_THREADS = ("tests/graders/run/test_merge.py", "tests/graders/executors/test_dask.py")
"""Files after which no process forks the graders' own: Dask's threads stay. They come last."""

# A busy machine is no fault of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_configure(config: pytest.Config) -> None:
    """Point away from the user's own progress before anything is imported or started."""
    private_progress.install(config)
    kernels.install(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have the garbage collector pass over what collection makes: a million objects that stay.

    It would scan them all again and again, and with every `gc.collect` of a test.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: no process has much left to do when the others have ended.

    Files of one folder stay together, and with them what they share: a browser, JupyterLab.
    """

    def place(item: pytest.Item) -> int:
        places = (at for at, begin in enumerate(LONGEST) if item.nodeid.startswith(begin))
        return next(places, len(LONGEST) + item.nodeid.startswith(LEAVING_THREADS))

    items.sort(key=place)


@pytest.fixture
def nothing_frozen() -> Generator[None, None, None]:
    """Let the garbage collector see everything, as in a program that has frozen nothing."""
    gc.unfreeze()
    yield
    gc.freeze()


class Live:
    """A page that shows widgets, as far as Python can tell: call it to show something."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def __call__(self, card: Any) -> Any:
        """Show `card` and return the widget that it becomes, None when it becomes none."""
        before = len(self.shown)
        card._repr_mimebundle_()
        return self.shown[-1] if len(self.shown) > before else None


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Live:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from graders.widget import LiveCard

    page, view = Live(), LiveCard.view
    monkeypatch.setattr("graders.live.is_live", lambda: True)
    monkeypatch.setattr(LiveCard, "view", lambda card: (page.shown.append(card), view(card))[1])
    return page
