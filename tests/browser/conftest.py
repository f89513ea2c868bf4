"""A Chromium that is already installed, driven by playwright; without either the tests say so."""

import shutil

import pytest

from tests.browser import lab_server
from tests.browser.lab import Lab
from tests.browser.lesson import VIEWPORT
from tests.browser.stepper_page import SteppedPage

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="package")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no Chromium is installed (none of {', '.join(NAMES)})")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def stepped(chromium, tmp_path):
    """Open a stepper over a story, which asks for nothing and complains of nothing."""
    made_pages = []

    def open_page(told, **options):
        page = SteppedPage(chromium, tmp_path, told, **options)
        made_pages.append(page)
        return page

    yield open_page
    for page in made_pages:
        page.context.close()
        assert page.complaints == []
        assert page.requests == [page.address]


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    for needed in ("jupyterlab", "ipykernel"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    with lab_server.running(tmp_path_factory.mktemp("jupyterlab")) as server:
        yield server


@pytest.fixture(scope="package")
def profile(chromium):
    """One profile for all pages with JupyterLab, whose own files are read only once."""
    profile = chromium.new_context(viewport=VIEWPORT)
    yield profile
    profile.close()


@pytest.fixture(scope="package")
def lab(profile, server):
    """JupyterLab's page, which is loaded again only after a test that left something behind."""
    lab = Lab(profile, server)
    yield lab
    lab.close()


@pytest.fixture
def opened(lab, server):
    """Open a lesson by its name; its kernel ends with the test, which nobody else heard of."""
    lessons = []

    def open_lesson(name):
        server.renew(name)
        lessons.append(lab.open(name))
        return lessons[-1]

    yield open_lesson
    for lesson in reversed(lessons):
        lesson.close()
        assert lesson.strangers() == []
        assert lesson.complaints == []
