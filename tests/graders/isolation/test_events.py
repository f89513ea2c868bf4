"""What a worker says is read with bounds, and whatever is no event counts for nothing."""

import os
import threading
import time

import pytest

from graders.isolation.events import ChannelClosed, Events, WorkerFlood, WorkerTimeout, parse


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"a":' * 100 + b"1" + b"}" * 100, b"9" * 5000],
    ids=["empty", "half", "deep", "no text", "nested", "a long number"],
)
def test_lines_that_are_no_plain_data_count_for_nothing(line):
    assert parse(line) is None


def test_brackets_in_texts_are_no_nesting():
    assert parse(b'{"a": "' + b"[" * 1000 + b'"}') == {"a": "[" * 1000}


def events_said_by(*pieces, close=True):
    ours, theirs = os.pipe()
    events = Events(ours)

    def say():
        try:
            for piece in pieces:
                os.write(theirs, piece)
        except BrokenPipeError:
            pass
        if close:
            os.close(theirs)

    threading.Thread(target=say, daemon=True).start()
    try:
        while True:
            yield events.next(time.monotonic() + 30)
    finally:
        events.close()


@pytest.mark.parametrize(
    "flood", [[b"x" * 50_000] * 50, [b"[]\n" * 20_000] * 3], ids=["a line", "many lines"]
)
def test_a_flood_is_stopped(flood):
    with pytest.raises(WorkerFlood):
        next(events_said_by(*flood))


def test_what_is_no_event_is_passed_over():
    lines = [b"", b"nonsense", b"[1]", b"null", b'{"event": "one"}', b"\xff", b'{"event": "two"}']
    said = events_said_by(b"\n".join(lines) + b"\n")

    assert [next(said), next(said)] == [{"event": "one"}, {"event": "two"}]
    with pytest.raises(ChannelClosed):
        next(said)


def test_a_line_may_come_in_pieces():
    said = events_said_by(b'{"eve', b'nt": "one"}\n{"event"', b': "two"}\n')

    assert [next(said), next(said)] == [{"event": "one"}, {"event": "two"}]


@pytest.mark.parametrize("seconds", [0.05, -1])
def test_silence_ends_at_the_deadline(seconds):
    ours, theirs = os.pipe()
    events = Events(ours)
    try:
        with pytest.raises(WorkerTimeout):
            events.next(time.monotonic() + seconds)
    finally:
        events.close()
        os.close(theirs)
