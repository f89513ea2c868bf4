"""Figures as SVG text: the shapes, the measures and the frame that all our drawings share.

A notebook shows an SVG as an image, to which the page's colours do not reach. So a figure brings
a panel of its own, and reads equally well on a white and on a dark page. The panel is light; dark
where the page gives the image a dark colour scheme or, for a figure that stands in the page itself,
where JupyterLab's theme is dark. Renderers that know no style sheets show the light one.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

INK = "#1d2433"
MUTED = "#566076"
LINE = "#8a93a6"
PANEL = "#fcfcfd"
PANEL_EDGE = "#c9ced8"
ALARM = "#b3261e"

SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

MARGIN = 18.0

# Lightness is turned round, hues stay: what is red stays red. Not quite black, as dark pages are.
DARK = "filter:invert(.9) hue-rotate(180deg)"


@dataclass(frozen=True, repr=False)
class Figure:
    """A picture with its words: SVG for a notebook, plain text wherever there is none."""

    svg: str
    text: str

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def escape(text: str) -> str:
    """Text as XML content or attribute; characters that XML forbids become U+FFFD."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: the end gives way to an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def text_width(text: str, size: float, mono: bool = False) -> float:
    """An upper estimate of the width that a line takes in any of our fonts."""
    narrow = 0.61 if mono else 0.58
    wide = len([c for c in text if unicodedata.east_asian_width(c) in "WF"])
    # Not added up: Python 3.12 and later round a sum of numbers otherwise, and figures with it.
    return size * (wide + narrow * (len(text) - wide))


def wrap(text: str, width: float, size: float) -> list[str]:
    """Break a sentence into lines that fit into `width`; a long word keeps a line to itself."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Canvas:
    """Collects shapes; `svg` puts them on the panel, with title and description for readers."""

    def __init__(self) -> None:
        self._elements: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "none",
        stroke: str = LINE,
        radius: float = 3.0,
        dash: str = "",
        weight: float = 1.2,
    ) -> None:
        """A rectangle from its upper left corner; a radius of half its height makes a pill."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._elements.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
            f'rx="{_n(radius)}" fill="{fill}" stroke="{stroke}" stroke-width="{_n(weight)}"'
            f"{dashes}/>"
        )

    def path(
        self, data: str, stroke: str = LINE, fill: str = "none", dash: str = "", weight: float = 1.4
    ) -> None:
        """A path from SVG path data (`curve` makes that of a route)."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._elements.append(
            f'<path d="{data}" fill="{fill}" stroke="{stroke}" stroke-width="{_n(weight)}" '
            f'stroke-linejoin="round"{dashes}/>'
        )

    def arrowhead(self, x: float, y: float, to: str = "down", color: str = LINE) -> None:
        """A filled head with its tip at (x, y); `to` is down, right or left."""
        wings = {"down": "l-4 -8h8z", "right": "l-8 -4v8z", "left": "l8 -4v8z"}
        self.path(f"M{_n(x)} {_n(y)}{wings[to]}", stroke="none", fill=color)

    def warning_sign(self, x: float, y: float) -> None:
        """A triangle with an exclamation mark, 14 units wide, centred at (x, y)."""
        self.path(f"M{_n(x)} {_n(y - 7)}l7.5 13h-15z", stroke=ALARM, fill="#ffffff")
        self.path(f"M{_n(x)} {_n(y - 2.5)}v4.5m0 1.5v1.2", stroke=ALARM, weight=1.6)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float = 12.0,
        color: str = INK,
        mono: bool = False,
        bold: bool = False,
        anchor: str = "middle",
        halo: bool = False,
    ) -> None:
        """One line of text whose middle height is y; `anchor` is start, middle or end.

        With a halo the text stays readable on top of lines.
        """
        family = f' font-family="{MONO}"' if mono else ""
        weight = ' font-weight="600"' if bold else ""
        around = f' stroke="{PANEL}" stroke-width="5" paint-order="stroke"' if halo else ""
        self._elements.append(
            f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}" font-size="{_n(size)}" fill="{color}" '
            f'text-anchor="{anchor}"{family}{weight}{around}>{escape(content)}</text>'
        )

    def shift(self, right: float) -> None:
        """Move everything drawn so far to the right."""
        start = f'<g transform="translate({_n(right)} 0)">'
        self._elements = [start, *self._elements, "</g>"]

    def svg(self, width: float, height: float, title: str, description: str) -> str:
        """The whole figure; `width` and `height` are those of the drawing without its margin."""
        total_width, total_height = width + 2 * MARGIN, height + 2 * MARGIN
        body = "\n".join(self._elements)
        key = f"f{zlib.crc32((title + description + body).encode()):08x}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{key}" role="img" '
            f'aria-labelledby="{key}-title {key}-desc" width="{_n(total_width)}" '
            f'height="{_n(total_height)}" viewBox="0 0 {_n(total_width)} {_n(total_height)}" '
            f'font-family="{SANS}">\n'
            f"<style>@media (prefers-color-scheme:dark){{#{key}:root{{{DARK}}}}}"
            f'[data-jp-theme-light="false"] #{key}{{{DARK}}}</style>\n'
            f'<title id="{key}-title">{escape(title)}</title>\n'
            f'<desc id="{key}-desc">{escape(description)}</desc>\n'
            f'<rect x="0.5" y="0.5" width="{_n(total_width - 1)}" '
            f'height="{_n(total_height - 1)}" rx="10" fill="{PANEL}" stroke="{PANEL_EDGE}"/>\n'
            f'<g transform="translate({_n(MARGIN)} {_n(MARGIN)})">\n{body}\n</g>\n</svg>\n'
        )


def curve(points: Sequence[tuple[float, float]]) -> str:
    """Path data through points: vertical steps straight, others as an S that ends vertically."""
    data = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 == x1:
            data.append(f"L{_n(x1)} {_n(y1)}")
        else:
            middle = (y0 + y1) / 2
            data.append(f"C{_n(x0)} {_n(middle)} {_n(x1)} {_n(middle)} {_n(x1)} {_n(y1)}")
    return "".join(data)


def _n(value: float) -> str:
    """A coordinate with one decimal at most, so that files stay small and comparable."""
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")
