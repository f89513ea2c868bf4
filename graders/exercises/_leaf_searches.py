"""Searches for the leaves of a graph, right and wrong: the solutions of `leaf-walk`."""

from __future__ import annotations

import autograd_core as torch


def find_leaves(t):
    """Return the leaves that require grad below t, each once."""
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves, seen, waiting = [], set(), [t.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        waiting.extend(following for following, _ in node.next_functions)
    return leaves


def leaves_by_identity(tensor) -> tuple[torch.Tensor, ...]:
    if tensor.is_leaf:
        return (tensor,) if tensor.requires_grad else ()
    found: dict[int, torch.Tensor] = {}
    visited: set[int] = set()
    level = [tensor.grad_fn]
    while level:
        following = []
        for node in level:
            if id(node) in visited:
                continue
            visited.add(id(node))
            if "AccumulateGrad" in node.name():
                found[id(node.variable)] = node.variable
            following += [edge[0] for edge in node.next_functions if edge[0] is not None]
        level = following
    print(len(found), "leaves")
    return tuple(found.values())


def leaves_as_a_set(t):
    leaves, seen = {t} if t.is_leaf and t.requires_grad else set(), set()
    stack = [t.grad_fn] if t.grad_fn else []
    while stack:
        node = stack.pop()
        seen.add(node)
        if getattr(node, "variable", None) is not None:
            leaves.add(node.variable)
        for after, _ in node.next_functions:
            if after and after not in seen:
                stack.append(after)
    return leaves


def once_per_path(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves, waiting = [], [t.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        waiting.extend(following for following, _ in node.next_functions)
    return leaves


def recursively(t):
    leaves, seen = [], set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        for following, _ in node.next_functions:
            visit(following)

    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    visit(t.grad_fn)
    return leaves


def stumbling_over_none(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves, seen, waiting = [], set(), [t.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        waiting.extend(following for following, _ in node.next_functions)
    return leaves


def taking_pairs_for_nodes(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves, waiting = [], [t.grad_fn]
    while waiting:
        node = waiting.pop()
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        waiting.extend(node.next_functions)
    return leaves


def _below(node):
    leaves, seen, waiting = [], set(), [node]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            if hasattr(node, "variable"):
                leaves.append(node.variable)
            waiting.extend(following for following, _ in node.next_functions)
    return leaves


def returning_nodes(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    return [(leaf * 1).grad_fn.next_functions[0][0] for leaf in _below(t.grad_fn)]


def nothing_below_a_leaf(t):
    return _below(t.grad_fn)


def no_question_of_a_leaf(t):
    assert t.grad_fn.next_functions
    return _below(t.grad_fn)


def every_leaf_counts(t):
    return [t] if t.is_leaf else _below(t.grad_fn)


def comparing_values(t):
    leaves = [t] if t.grad_fn is None and t.requires_grad else []
    for leaf in _below(t.grad_fn):
        if leaf not in leaves:
            leaves.append(leaf)
    return leaves


def first_input_only(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    node = t.grad_fn
    while not hasattr(node, "variable"):
        node = next(following for following, _ in node.next_functions if following is not None)
    return [node.variable]


def gathering_nothing(t):
    leaves = []
    node = t.grad_fn
    while node is not None and node.next_functions:
        node = node.next_functions[0][0]
    return leaves


def one_step_only(t):
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    nodes = {following for following, _ in t.grad_fn.next_functions}
    return [node.variable for node in nodes if hasattr(node, "variable")]


def the_tensor_itself(t):
    return [t]


def the_tensor_if_it_is_a_leaf(t):
    return [t] if t.is_leaf and t.requires_grad else []


def leaves_in_a_dict(t):
    leaves = [t] if t.grad_fn is None and t.requires_grad else _below(t.grad_fn)
    return {id(leaf): leaf for leaf in leaves}.values()


def detached_leaves(t):
    if t.grad_fn is None:
        return [t.detach()] if t.requires_grad else []
    return [leaf.detach() for leaf in _below(t.grad_fn)]
