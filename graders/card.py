"""The card that `check` shows: a verdict and a hint, as HTML and as equally readable text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from graders.live import mimebundle, still
from graders.report.words import check_sign, label, prose
from graders.verdict import CheckReport, Verdict

if TYPE_CHECKING:
    from graders.widget import LiveCard

SIGNS = {"passed": "✓", "partial": "◐", "not_attempted": "\u2013"}

MAX_PRINTED = 1_000

# One string without line breaks: the card's colours follow JupyterLab's theme, light or dark.
STYLE = (
    ".al-card{border:1px solid var(--jp-border-color1,#767676);border-left-width:6px;"
    "border-radius:4px;padding:.6em 1em;margin:.4em 0;max-width:54em;line-height:1.5;"
    "font-family:var(--jp-ui-font-family,system-ui,sans-serif);"
    "color:var(--jp-ui-font-color1,inherit);background:var(--jp-layout-color1,transparent)}"
    ".al-card.passed{border-left-color:var(--jp-success-color1,#388e3c)}"
    ".al-card.partial,.al-card.failed,.al-card.error"
    "{border-left-color:var(--jp-warn-color1,#b26a00)}"
    ".al-card p{margin:.4em 0}"
    "section.al-card ul.al-checks{list-style:none;margin:.4em 0;padding:0}"
    ".al-card .al-head{font-weight:600;display:flex;gap:1em;justify-content:space-between}"
    ".al-card .al-head span+span{white-space:nowrap}"
    ".al-card a{color:var(--jp-content-link-color,LinkText)}"
    ".al-card li{display:flex;gap:.4em}.al-card li span:first-of-type{flex:1}"
    ".al-card .al-points{font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".al-card code,.al-card pre{font-family:var(--jp-code-font-family,monospace);"
    "color:inherit;background:var(--jp-layout-color2,rgba(128,128,128,.15));border-radius:2px}"
    ".al-card pre{white-space:pre-wrap}"
    ".al-card code{padding:0 .2em}.al-card pre{padding:.4em .6em;margin:.3em 0;overflow-x:auto}"
    ".al-card .al-hint{border-top:1px solid var(--jp-border-color2,#9e9e9e);padding-top:.5em}"
    ".al-card summary{cursor:pointer}"
)

# Mixed with the text's colour, a sign's colour stands out from a light and from a dark background.
CHECKS_STYLE = (
    ".al-card li b{font-weight:inherit}"
    ".al-card .al-right{color:color-mix(in srgb,var(--jp-success-color1,#388e3c) 75%,currentColor)}"
    ".al-card .al-wrong{color:color-mix(in srgb,var(--jp-error-color1,#d32f2f) 75%,currentColor)}"
)


class Card:
    """A verdict to look at. In a notebook it shows itself; `print` gives the same as text.

    Where a kernel can answer, the card has a button that calls `again`, and the `earlier` hints
    can be unfolded. `note` stands below the card, `caution` above everything else in it.
    """

    def __init__(
        self,
        verdict: Verdict,
        hint: str = "",
        hint_number: int = 0,
        *,
        earlier: Sequence[str] = (),
        again: Callable[[], Card] | None = None,
        note: str = "",
        caution: str = "",
    ) -> None:
        self.verdict = verdict
        self.hint = hint
        self.hint_number = hint_number
        self.earlier = tuple(earlier)
        self.again = again
        self.note = note
        self.caution = caution

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return self.verdict.status == "passed"

    def __str__(self) -> str:
        return "\n".join(_text(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(_html(self))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return mimebundle(self, self._live)

    def _live(self) -> LiveCard | None:
        if self.again is None:
            return None
        from graders.widget import LiveCard

        latest = self

        def answer(fields: Mapping[str, Any]) -> None:
            nonlocal latest
            if latest.again is not None:
                latest = latest.again()
                shown.show("".join(_html(latest, live=True)), still(latest), latest.note)

        shown = LiveCard("".join(_html(self, live=True)), still(self), answer)
        return shown


def headline(verdict: Verdict) -> tuple[str, str]:
    """Return one text with the sign, title and status, and another with the points."""
    sign, word = SIGNS.get(verdict.status, "✗"), label(verdict.status)
    points = f"{verdict.points:g} of {verdict.max_points:g} points"
    return f"{sign} {verdict.title} · {word}", points


def anchor(heading: str) -> str:
    """Return the fragment (`#...`) by which JupyterLab finds `heading`, "" if there is none.

    JupyterLab compares fragments character by character, and browsers rewrite some characters: a
    heading that contains one of these cannot be linked to.
    """
    address = "#" + heading.replace("`", "").replace(" ", "-")
    return address if re.fullmatch(r"#[!-~]+", address) and not set(address) & set('<>"') else ""


def _text(card: Card) -> list[str]:
    verdict = card.verdict
    title, points = headline(verdict)
    lines = [f"{title} ({points})", *(line for line in (card.caution, verdict.summary) if line)]
    if verdict.error is not None:
        lines += [line for line in [_error_line(card)] if line]
        if verdict.error.source_line:
            lines.append(f"    {verdict.error.source_line}")
    lines += [
        f"  {check_sign(report)} {report.says} ({_earned(report)})" for report in verdict.checks
    ]
    lines += [f"Note: {remark}" for remark in verdict.remarks]
    if _is_open(verdict):
        lines.append(f"Read again: {verdict.section}")
    if card.hint:
        lines.append(f"Hint {card.hint_number} of 3: {card.hint}")
    return lines


def _html(card: Card, live: bool = False) -> list[str]:
    verdict = card.verdict
    title, points = headline(verdict)
    parts = [
        f"<style>{STYLE}{CHECKS_STYLE if verdict.checks else ''}</style>",
        f'<section class="al-card {verdict.status}" aria-label="Check of {escape(verdict.title)}">',
        f'<p class="al-head"><span>{prose(title)}</span> <span>({points})</span></p>',
    ]
    if card.caution:
        parts.append(f"<p><strong>{prose(card.caution)}</strong></p>")
    if verdict.summary:
        parts.append(f"<p>{prose(verdict.summary)}</p>")
    if verdict.error is not None:
        parts += [f"<p>{prose(line)}</p>" for line in [_error_line(card)] if line]
        if verdict.error.source_line:
            parts.append(f"<pre>{escape(verdict.error.source_line)}</pre>")
    if verdict.checks:
        parts.append('<ul class="al-checks">')
        parts += [
            f"<li>{_sign(report)} <span>{prose(report.says)}</span> "
            f'<span class="al-points">({_earned(report)})</span></li>'
            for report in verdict.checks
        ]
        parts.append("</ul>")
    parts += [f"<p><strong>Note:</strong> {prose(remark)}</p>" for remark in verdict.remarks]
    for report in verdict.checks:
        if report.details:
            parts.append(
                f"<details><summary>What was seen: {escape(report.name)}</summary>"
                f"<pre>{prose(report.details)}</pre></details>"
            )
    if verdict.output.strip():
        parts.append(
            "<details><summary>What your code printed</summary>"
            f"<pre>{escape(verdict.output[:MAX_PRINTED])}</pre></details>"
        )
    if _is_open(verdict):
        section, address = prose(verdict.section), escape(anchor(verdict.section))
        linked = f'<a href="{address}">{section}</a>' if address else section
        parts.append(f"<p>Read again: {linked}</p>")
    if card.hint:
        number = f"<strong>Hint {card.hint_number} of 3:</strong>"
        parts.append(f'<p class="al-hint">{number} {prose(card.hint)}</p>')
    if live:
        parts += _live_part(card)
    parts.append("</section>")
    return parts


def _live_part(card: Card) -> list[str]:
    parts = []
    if card.earlier:
        hints = "".join(f"<li>{prose(hint)}</li>" for hint in card.earlier)
        summary = "Earlier hint" if len(card.earlier) == 1 else "Earlier hints"
        parts.append(
            f'<details class="al-earlier"><summary>{summary}</summary><ol>{hints}</ol></details>'
        )
    if card.again is not None:
        button = '<button type="submit" class="al-again">Check again</button>'
        parts.append(f'<form class="al-form" data-al-do="again">{button}</form>')
    return parts


def _sign(report: CheckReport) -> str:
    state = "right" if report.passed else "waiting" if report.awaits else "wrong"
    return f'<b class="al-{state}">{check_sign(report)}</b>'


def _earned(report: CheckReport) -> str:
    return f"{report.points:g} of {report.max_points:g}"


def _is_open(verdict: Verdict) -> bool:
    """Return whether there is something to read again: an attempt that has not passed."""
    return bool(verdict.section) and verdict.status not in ("passed", "not_attempted")


def _error_line(card: Card) -> str:
    error = card.verdict.error
    assert error is not None
    where = f" in line {error.line}" if error.line else ""
    if f"`{error.type}`" in card.verdict.summary:
        return f"It happened{where or ' here'}:" if error.source_line else ""
    return f"`{error.type}`{where}: {textwrap.shorten(error.message, 300, placeholder=' …')}"
