"""Sweeps over a tape, right and wrong, for `graph-tape`."""

from __future__ import annotations


def sweep_back(tape):
    """Return for each value how much the last one moves with it."""
    last, _ = tape[-1]
    grads = {last: 1.0}
    for name, sources in reversed(tape):
        for source, slope in sources:
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
    return grads


def counting_users(tape: list) -> dict[str, float]:
    users: dict[str, int] = {}
    for _, sources in tape:
        for source, _ in sources:
            users[source] = users.get(source, 0) + 1
    steps = dict(tape)
    ready = [tape[-1][0]]
    grads = dict.fromkeys(users, 0.0) | {ready[0]: 1.0}
    while ready:
        name = ready.pop()
        print("visit", name)
        for source, slope in steps.get(name, ()):
            grads[source] += grads[name] * slope
            users[source] -= 1
            if not users[source]:
                ready.append(source)
    return grads


def with_a_defaultdict(tape):
    from collections import defaultdict

    grads = defaultdict(float)
    grads[tape[-1][0]] = 1
    for i in range(len(tape) - 1, -1, -1):
        for j in range(len(tape[i][1])):
            grads[tape[i][1][j][0]] += grads[tape[i][0]] * tape[i][1][j][1]
    return grads


def asking_the_users(tape):
    memory = {}

    def towards(name):
        if name == tape[-1][0]:
            return 1.0
        if name not in memory:
            users = [(user, k) for user, sources in tape for s, k in sources if s == name]
            memory[name] = sum(towards(user) * slope for user, slope in users)
        return memory[name]

    names = {name for name, _ in tape} | {s for _, sources in tape for s, _ in sources}
    return {name: towards(name) for name in names}


def using_up_the_tape(tape):
    grads = {tape[-1][0]: 1.0}
    while tape:
        name, sources = tape.pop()
        for source, slope in sources:
            grads.setdefault(source, 0.0)
            grads[source] += grads[name] * slope
    return grads


def overwriting(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape[::-1]:
        for source, slope in sources:
            grads[source] = grads[name] * slope
    return grads


def overwriting_on_the_walk(tape):
    steps, waiting = dict(tape), [tape[-1][0]]
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop()
        for source, slope in steps.get(name, []):
            grads[source] = grads[name] * slope
            waiting.append(source)
    return grads


def overwriting_in_rows(tape):
    steps, waiting = dict(tape), [tape[-1][0]]
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop(0)
        for source, slope in steps.get(name, []):
            grads[source] = grads[name] * slope
            waiting.append(source)
    return grads


def first_one_wins(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape[::-1]:
        for source, slope in sources:
            grads.setdefault(source, grads[name] * slope)
    return grads


def pushing_partial_sums(tape):
    steps, waiting = dict(tape), [tape[-1][0]]
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop()
        for source, slope in steps.get(name, []):
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
            waiting.append(source)
    return grads


def pushing_partial_sums_in_rows(tape):
    steps, waiting = dict(tape), [tape[-1][0]]
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop(0)
        for source, slope in steps.get(name, []):
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
            waiting.append(source)
    return grads


def not_waiting(tape):
    steps, waiting, seen = dict(tape), [tape[-1][0]], set()
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for source, slope in steps.get(name, []):
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
            waiting.append(source)
    return grads


def not_waiting_in_rows(tape):
    steps, waiting, seen = dict(tape), [tape[-1][0]], set()
    grads = {tape[-1][0]: 1.0}
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for source, slope in steps.get(name, []):
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
            waiting.append(source)
    return grads


def from_the_front(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape:
        for source, slope in sources:
            grads[source] = grads.get(source, 0.0) + grads.get(name, 0.0) * slope
    return grads


def multiplying_at_meetings(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape[::-1]:
        for source, slope in sources:
            grads[source] = grads.get(source, 1.0) * grads[name] * slope
    return grads


def without_slopes(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape[::-1]:
        for source, _ in sources:
            grads[source] = grads.get(source, 0.0) + grads[name]
    return grads


def one_entry_for_each_name(tape):
    grads = {tape[-1][0]: 1.0}
    for name, sources in tape[::-1]:
        for source, slope in dict(sources).items():
            grads[source] = grads.get(source, 0.0) + grads[name] * slope
    return grads


def every_way(tape):
    steps, waiting = dict(tape), [(tape[-1][0], 1.0)]
    grads = {}
    while waiting:
        name, amount = waiting.pop()
        grads[name] = grads.get(name, 0.0) + amount
        waiting += [(source, amount * slope) for source, slope in steps.get(name, [])]
    return grads
