"""Slicing: which of a lesson's own cells need not be run, because no answer depends on them.

A lesson shows much that no exercise builds on. Such a cell is passed over if the student has not
changed it and no name ties it to an answer, neither directly nor through other cells; names of
modules that all cells import alike do not count, nor do those that the lesson gives to what it
makes of an answer. Every cell is run when a student's code might reach a cell in another way than
by name, or change state that all cells share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from graders.dependence import BUILT_IN, Dependence, dependence
from graders.reading.cells import Cell


def passed_over(
    cells: Sequence[Cell],
    published: Collection[str],
    answering: Iterable[int],
    names: Iterable[str],
) -> set[int]:
    """The indices of `cells` that need not be run; none at all in case of doubt.

    `published` are the sources of the lesson's own cells, `answering` the indices of the cells that
    make up answers or after which an answer is examined, `names` the symbols of the exercises.
    """
    known = {cell.index: found for cell in cells if (found := dependence(cell.code)) is not None}
    if len(known) < len(cells) or any(found.reaches for found in known.values()):
        return set()
    answers = {cell.index for cell in cells if cell.exercise is not None} | set(answering)
    students = answers | {cell.index for cell in cells if cell.code not in published}
    theirs = [known[index] for index in students & known.keys()]
    ties = _ties(known.values())
    if _may_affect_all(theirs, ties):
        return set()
    used = set[str]().union(*(found.names for found in theirs))
    return known.keys() - students - _needed(known, answers, ties, set(names), used)


def _ties(known: Collection[Dependence]) -> set[str]:
    """The names that tie cells to each other: assigned names, and imported ones of unclear meaning.

    An imported name means the same everywhere unless it has several origins or is a builtin's.
    """
    bound = set[str]().union(*(found.bound for found in known))
    origins: dict[str, set[str]] = {}
    for found in known:
        for name, origin in found.origins:
            origins.setdefault(name, set()).add(origin)
    return bound | {name for name, of in origins.items() if len(of) > 1 or name in BUILT_IN}


def _may_affect_all(theirs: Collection[Dependence], ties: set[str]) -> bool:
    """Whether cells of the student may change state that all cells share.

    A function that would may be called by any of these cells that calls something.
    """
    if any(found.shares or found.changed - ties for found in theirs):
        return True
    return any(found.sets or found.draws for found in theirs) and any(
        found.calls for found in theirs
    )


def _needed(
    known: Mapping[int, Dependence],
    answers: set[int],
    ties: set[str],
    symbols: set[str],
    used: set[str],
) -> set[int]:
    """The cells on which `answers` may depend: those that change the engine, and all tied ones.

    A cell is tied if it shares one of `ties` with an answer or another such cell, or imports what
    these use. To begin with, the names `used` are used. A cell that only uses an answer, by one of
    `symbols`, is tied as well, but not those that go on with what it makes of the answer.
    """
    tied = {index: found.names & ties for index, found in known.items()}
    showing = {
        index
        for index in known.keys() - answers
        if not tied[index].isdisjoint(symbols) and known[index].bound.isdisjoint(symbols)
    }
    linked = symbols.union(*(tied[index] - known[index].bound for index in showing))
    used = used.union(*(known[index].names for index in showing))
    needed = answers | {i for i, found in known.items() if found.sets or found.changed - ties}
    more = needed & known.keys()
    while more:
        needed |= more
        linked = linked.union(*(tied[index] for index in more))
        used = used.union(*(known[index].names for index in more))
        more = {
            index
            for index in known.keys() - needed
            if not linked.isdisjoint(known[index].bound if index in showing else tied[index])
            or not known[index].imports.isdisjoint(used)
        }
    return needed | showing
