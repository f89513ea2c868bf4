"""`memory(x=x, y=y)`: a figure of tensors that share memory, and of saved slots that are stale."""

from __future__ import annotations

from typing import Any

from autograd_core.drawing.svg import ALARM, LINE, MUTED, Canvas, Figure, shorten, text_width, wrap
from lessons.widgets.memory_map import Counter, Memory, MemoryMap, Name, Slot, read_memory

NAME_SIZE = 14.0
DETAIL_SIZE = 11.5
LINE_HEIGHT = 16.0
TAG_GAP = 10.0
MEMORY_GAP = 22.0
ARROW_SPACE = 58.0
CELL_HEIGHT = 28.0
HEAD_HEIGHT = 70.0
COUNTER_HEIGHT = 38.0
TAG_HEIGHT = 3 * LINE_HEIGHT + 10.0

BOLD_RATIO = 1.1
SIGN_SPACE = 20.0
LONGEST = 40

NAME_FILL, NAME_EDGE = "#e6f2e4", "#4b8a45"
MEMORY_FILL, MEMORY_EDGE = "#e9edfb", "#5b6fb5"
SLOT_FILL, SLOT_EDGE = "#f4ecf7", "#8b63a0"
STALE_FILL = "#fdecea"

UNCOUNTED = "no version counter"


def memory(**tensors: Any) -> Figure:
    """Show the memory of the given tensors, under the names of the arguments.

    On the left are the names, in the middle the memory with its version counter. Names that share
    memory point to one box, and views are marked as such. On the right are the slots that recorded
    functions have saved, each with its version. A slot whose memory has changed since is marked
    STALE. Raises TypeError when an argument is not a tensor.
    """
    read = read_memory(tensors)
    title = f"Memory of {', '.join(tensors)}" if tensors else "Memory: no tensors were given"
    text = _listing(read, title)
    return Figure(_svg(read, title, " ".join(text.split())), text)


def _slot_state(slot: Slot, counter: Counter) -> str:
    return f"STALE: memory is at version {counter.version}" if slot.stale else "up to date"


def _listing(read: MemoryMap, title: str) -> str:
    lines = [title]
    for block in read.memories:
        values = ", ".join(block.values) + (f", … {block.hidden} more" if block.hidden else "")
        lines.append(f"memory {block.label}: [{values}] ({block.kind})")
        for counter in block.counters:
            at = f"version counter at {counter.version}"
            lines.append(f"  {at if counter.version is not None else UNCOUNTED}")
            lines += [f"    {name.name}: {name.says}" for name in counter.names]
            if not counter.names:
                lines.append("    (no name was given; a graph keeps it)")
            lines += [
                f"    {slot.function} {slot.says}: {_slot_state(slot, counter)}"
                for slot in counter.slots
            ]
    return "\n".join(lines + read.notes)


def _svg(read: MemoryMap, title: str, description: str) -> str:
    canvas = Canvas()
    counters = [counter for block in read.memories for counter in block.counters]
    names = [name for counter in counters for name in counter.names]
    slots = [(slot, counter) for counter in counters for slot in counter.slots]
    name_width = max((_name_width(name) for name in names), default=0.0)
    memory_width = max((_memory_width(block) for block in read.memories), default=0.0)
    slot_width = max((_slot_width(slot, counter) for slot, counter in slots), default=0.0)
    memory_left = name_width + ARROW_SPACE if names else 0.0
    memory_right = memory_left + memory_width
    width = memory_right + (ARROW_SPACE + slot_width if slots else 0.0)
    y = 0.0
    for block in read.memories:
        height = _memory_height(block)
        _draw_memory(canvas, block, memory_left, y, memory_width, height)
        rows = y + HEAD_HEIGHT - 4, y + height - 4
        name_ys = iter(_stack(sum(len(c.names) for c in block.counters), rows, y, y + height))
        slot_ys = iter(_stack(sum(len(c.slots) for c in block.counters), rows, y, y + height))
        pitch = (rows[1] - rows[0]) / len(block.counters)
        for rank, counter in enumerate(block.counters):
            middle = rows[0] + pitch * (rank + 0.5)
            _draw_counter(canvas, counter, memory_left, memory_right, middle)
            for name in counter.names:
                tag_y = next(name_ys)
                _draw_name(canvas, name, name_width, tag_y)
                _arrow(canvas, (name_width, tag_y), (memory_left + 14, middle), LINE)
            for slot in counter.slots:
                tag_y, color = next(slot_ys), ALARM if slot.stale else SLOT_EDGE
                slot_left = memory_right + ARROW_SPACE
                _draw_slot(canvas, slot, counter, slot_left, slot_width, tag_y)
                _arrow(canvas, (slot_left, tag_y), (memory_right - 14, middle), color)
        y += height + MEMORY_GAP
    height = max(y - MEMORY_GAP, 0.0)
    notes = read.notes if read.memories else [title]
    width = max(width, 300.0)
    for line in [line for note in notes for line in wrap(note, width, DETAIL_SIZE)]:
        height += LINE_HEIGHT
        canvas.text(0, height, line, DETAIL_SIZE, MUTED, anchor="start")
    return canvas.svg(width, height, title, description)


def _name_lines(name: Name) -> list[str]:
    """The lines below a name: what the tensor is, and its shape."""
    kind, _, shape = name.says.partition(", shape")
    return [shorten(kind, LONGEST), shorten(f"shape{shape}", LONGEST)]


def _name_width(name: Name) -> float:
    widths = [text_width(line, DETAIL_SIZE) for line in _name_lines(name)]
    return max([text_width(shorten(name.name, 24), NAME_SIZE, mono=True), *widths]) + 22.0


def _slot_lines(slot: Slot, counter: Counter) -> list[str]:
    return [shorten(slot.says, LONGEST), _slot_state(slot, counter)]


def _slot_width(slot: Slot, counter: Counter) -> float:
    widths = [text_width(line, DETAIL_SIZE) for line in _slot_lines(slot, counter)]
    widths[1] = widths[1] * BOLD_RATIO + SIGN_SPACE if slot.stale else widths[1]
    return max([text_width(shorten(slot.function, 30), NAME_SIZE, mono=True), *widths]) + 22.0


def _cell_width(block: Memory) -> float:
    return max([text_width(value, 13.0, mono=True) for value in block.values] + [20.0]) + 14.0


def _memory_width(block: Memory) -> float:
    head = text_width(f"memory {block.label}", NAME_SIZE) + text_width(block.kind, DETAIL_SIZE)
    more = text_width(f"… {block.hidden} more", DETAIL_SIZE) + 8.0 if block.hidden else 0.0
    return max(head + 44.0, _cell_width(block) * len(block.values) + more + 28.0, 190.0)


def _memory_height(block: Memory) -> float:
    names = sum(len(counter.names) for counter in block.counters)
    slots = sum(len(counter.slots) for counter in block.counters)
    tags = max(names, slots) * (TAG_HEIGHT + TAG_GAP) - TAG_GAP
    return max(HEAD_HEIGHT + COUNTER_HEIGHT * len(block.counters), tags)


def _stack(count: int, rows: tuple[float, float], top: float, bottom: float) -> list[float]:
    """The heights of `count` tags in a column, centred on `rows`, between `top` and `bottom`."""
    pitch = TAG_HEIGHT + TAG_GAP
    half = (count * pitch - TAG_GAP) / 2
    middle = max(min(sum(rows) / 2, bottom - half), top + half)
    return [middle + (rank - (count - 1) / 2) * pitch for rank in range(count)]


def _draw_memory(
    canvas: Canvas, block: Memory, left: float, top: float, width: float, height: float
) -> None:
    canvas.rect(left, top, width, height, fill=MEMORY_FILL, stroke=MEMORY_EDGE, radius=6)
    canvas.text(left + 14, top + 17, f"memory {block.label}", NAME_SIZE, bold=True, anchor="start")
    canvas.text(left + width - 14, top + 17, block.kind, DETAIL_SIZE, MUTED, anchor="end")
    cell = _cell_width(block)
    for number, value in enumerate(block.values):
        x = left + 14 + cell * number
        canvas.rect(x, top + 34, cell, CELL_HEIGHT, fill="#ffffff", stroke=MEMORY_EDGE, radius=0)
        canvas.text(x + cell / 2, top + 34 + CELL_HEIGHT / 2, value, 13.0, mono=True)
    x, y = left + 14 + cell * len(block.values), top + 34 + CELL_HEIGHT / 2
    if block.hidden:
        canvas.text(x + 8, y, f"… {block.hidden} more", DETAIL_SIZE, MUTED, anchor="start")
    if not block.values:
        canvas.text(x, y, "no elements", DETAIL_SIZE, MUTED, anchor="start")


def _draw_counter(
    canvas: Canvas, counter: Counter, left: float, right: float, middle: float
) -> None:
    canvas.rect(left + 14, middle - 13, right - left - 28, 26, fill="#ffffff", radius=13)
    x = (left + right) / 2
    at = f"version counter: {counter.version}" if counter.version is not None else UNCOUNTED
    canvas.text(x, middle, at, 13.0, bold=True)


def _arrow(
    canvas: Canvas, start: tuple[float, float], end: tuple[float, float], color: str
) -> None:
    """Draw an S-shaped arrow that leaves and arrives horizontally."""
    (x0, y0), (x1, y1) = start, end
    to, neck = ("right", x1 - 7) if x1 > x0 else ("left", x1 + 7)
    half = (x0 + neck) / 2
    data = f"M{x0:.1f} {y0:.1f}C{half:.1f} {y0:.1f} {half:.1f} {y1:.1f} {neck:.1f} {y1:.1f}"
    canvas.path(data, stroke=color)
    canvas.arrowhead(x1, y1, to=to, color=color)


def _draw_name(canvas: Canvas, name: Name, width: float, y: float) -> None:
    top = y - TAG_HEIGHT / 2
    canvas.rect(0, top, width, TAG_HEIGHT, fill=NAME_FILL, stroke=NAME_EDGE, radius=5)
    label = shorten(name.name, 24)
    canvas.text(width / 2, y - LINE_HEIGHT, label, NAME_SIZE, mono=True, bold=True)
    for rank, line in enumerate(_name_lines(name)):
        canvas.text(width / 2, y + LINE_HEIGHT * rank, line, DETAIL_SIZE, MUTED)


def _draw_slot(
    canvas: Canvas, slot: Slot, counter: Counter, left: float, width: float, y: float
) -> None:
    edge, dash = (ALARM, "5 4") if slot.stale else (SLOT_EDGE, "")
    fill, top, x = STALE_FILL if slot.stale else SLOT_FILL, y - TAG_HEIGHT / 2, left + width / 2
    canvas.rect(left, top, width, TAG_HEIGHT, fill=fill, stroke=edge, radius=0, dash=dash)
    canvas.text(x, y - LINE_HEIGHT, shorten(slot.function, 30), NAME_SIZE, mono=True)
    saved, state = _slot_lines(slot, counter)
    canvas.text(x, y, saved, DETAIL_SIZE, MUTED)
    if not slot.stale:
        canvas.text(x, y + LINE_HEIGHT, state, DETAIL_SIZE, MUTED)
        return
    start = x - (text_width(state, DETAIL_SIZE) * BOLD_RATIO + SIGN_SPACE) / 2
    canvas.warning_sign(start + 8, y + LINE_HEIGHT - 1)
    canvas.text(
        start + SIGN_SPACE, y + LINE_HEIGHT, state, DETAIL_SIZE, ALARM, bold=True, anchor="start"
    )
