"""Several values, or results of variants of a program, next to each other."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from inspect import isfunction, ismethod
from typing import Any

RAISED, RETURNED = "✗ raised", "→ returned"
LONG = 120


@dataclass(frozen=True)
class Ending:
    """How one variant of a program ended: its caption, and a value or the error it raised."""

    caption: str
    value: Any
    error: str = ""
    was_run: bool = False

    @property
    def text(self) -> str:
        """The ending without HTML."""
        if self.error:
            return f"{RAISED} {self.error}"
        words = self.value if isinstance(self.value, str) else repr(self.value)
        return f"{RETURNED} {words}" if self.was_run else words

    @property
    def html(self) -> str:
        """The ending as the content of a column."""
        if self.error or not self._has_picture():
            sign = '<span style="color: var(--jp-error-color1, #b3261e)">✗</span>'
            words = escape(self.text)
            return (
                '<pre style="margin: 0; white-space: pre-wrap; word-break: normal; '
                "overflow-wrap: anywhere; color: inherit; background: none; "
                'font-family: var(--jp-code-font-family, monospace)">'
                f"{words.replace('✗', sign, 1) if self.error else words}</pre>"
            )
        if hasattr(self.value, "_repr_html_"):
            return self.value._repr_html_()
        data = b64encode(self.value._repr_svg_().encode()).decode()
        alt = escape(self.text, quote=True)
        return f'<img alt="{alt}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'

    @property
    def style(self) -> str:
        """The CSS of the column: a long text gets more of the row, a picture keeps its size.

        Only text gets a border, because pictures have one.
        """
        if self._has_picture():
            return "flex: 0 1 auto"
        share = "3 1 26em" if len(self.text) > LONG else "1 1 15em"
        line = "1px solid var(--jp-border-color2, #c9ced8)"
        return f"flex: {share}; padding: 10px 14px; border: {line}; border-radius: 6px"

    def _has_picture(self) -> bool:
        return hasattr(self.value, "_repr_html_") or hasattr(self.value, "_repr_svg_")


@dataclass(frozen=True, repr=False)
class SideBySide:
    """Columns with captions in a notebook; in a terminal one ending below the other."""

    endings: tuple[Ending, ...]

    def __repr__(self) -> str:
        blocks = []
        for ending in self.endings:
            body = ending.text.replace("\n", "\n  ")
            blocks.append(f"{ending.caption}\n  {body}")
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        columns = "\n".join(
            '<figure style="margin: 0; max-width: 100%; box-sizing: border-box; '
            f'{ending.style}">\n'
            f'<figcaption style="font-weight: 600; margin-bottom: 6px">{escape(ending.caption)}'
            f"</figcaption>\n{ending.html}\n</figure>"
            for ending in self.endings
        )
        return (
            '<div role="group" style="display: flex; flex-wrap: wrap; gap: 12px; '
            "align-items: flex-start; color: var(--jp-ui-font-color1, #1d2433); "
            f'font-family: var(--jp-ui-font-family, system-ui, sans-serif)">\n{columns}\n</div>'
        )


def side_by_side(endings: Mapping[str, Any]) -> SideBySide:
    """Show each value under its caption: figures, cards, text, plain values.

    A function or method is called without arguments, and what it returns or raises is shown, so
    that variants of a program can be compared although one of them fails.
    """
    return SideBySide(tuple(_ending(caption, value) for caption, value in endings.items()))


def _ending(caption: str, value: Any) -> Ending:
    if isinstance(value, BaseException):
        return Ending(caption, None, _error(value))
    if not (isfunction(value) or ismethod(value)):
        return Ending(caption, value)
    try:
        return Ending(caption, value(), was_run=True)
    except Exception as error:
        return Ending(caption, None, _error(error), was_run=True)


def _error(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
