"""A Chromium that is already installed, driven by playwright; without either the tests say so."""

import shutil

import pytest

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


@pytest.fixture(scope="module")
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
