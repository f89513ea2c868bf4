"""Still figures on light and dark pages: as an image they follow the theme, in a page likewise."""

import base64
from urllib.parse import quote

import pytest

import autograd_core as torch

widget = pytest.importorskip("graders.widget", reason="anywidget is not installed")
STYLE = (widget.STATIC / "card.css").read_text(encoding="utf-8")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A notebook</title>
<style>{style}body{{margin:0}}</style><body {theme}>{figure}</body></html>"""
# What a picture of the page has at a place, as red, green and blue.
READ = """async ([picture, x, y]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return [...canvas.getImageData(x, y, 1, 1).data].slice(0, 3);
}"""
INSIDE_THE_PANEL = (12, 12)


def figure():
    x = torch.tensor(1.0, requires_grad=True)
    return torch.make_dot(x.sin(), {"x": x})


def image(svg):
    """As JupyterLab shows it."""
    return f'<img src="data:image/svg+xml,{quote(svg)}">'


@pytest.fixture
def ground(chromium):
    """The colour of a figure's panel on a page, given JupyterLab's theme, if it is JupyterLab."""
    contexts = []

    def look(shown, theme="", system="light"):
        contexts.append(chromium.new_context(color_scheme=system))
        page = contexts[-1].new_page()
        attribute = theme and f'data-jp-theme-light="{str(theme == "light").lower()}"'
        page.set_content(PAGE.format(style=STYLE, theme=attribute, figure=shown))
        picture = base64.b64encode(page.screenshot()).decode()
        return page.evaluate(READ, [picture, *INSIDE_THE_PANEL])

    yield look
    for context in contexts:
        context.close()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_an_image_is_dark_where_jupyterlab_is_whatever_the_system_is(ground, system):
    shown = image(figure().svg)
    assert max(ground(shown, "dark", system)) < 50
    assert min(ground(shown, "light", system)) > 240


def test_an_image_elsewhere_follows_the_system(ground):
    shown = image(figure().svg)
    assert min(ground(shown)) > 240
    assert max(ground(shown, system="dark")) < 50


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_figure_in_a_page_is_dark_only_where_the_page_is(ground, system):
    assert max(ground(figure().svg, "dark", system)) < 50
    assert min(ground(figure().svg, "light", system)) > 240
    assert min(ground(figure().svg, system=system)) > 240


def test_one_figure_does_not_darken_another(ground):
    plain = '<svg width="60" height="60"><rect width="60" height="60" fill="#fcfcfd"/></svg>'
    assert min(ground(plain + figure().svg, "dark")) > 240


def test_a_figure_in_jupyterlab_is_never_wider_than_its_cell(chromium):
    context = chromium.new_context()
    page = context.new_page()
    wide = f'<div class="jp-RenderedSVG" style="width:90px">{image(figure().svg)}</div>'
    page.set_content(PAGE.format(style=STYLE, theme="", figure=wide))
    size = page.locator("img").bounding_box()
    kept = page.locator("img").evaluate("image => image.naturalHeight / image.naturalWidth")
    context.close()
    assert size["width"] == pytest.approx(90, abs=0.5)
    assert size["height"] / size["width"] == pytest.approx(kept, 0.02)
