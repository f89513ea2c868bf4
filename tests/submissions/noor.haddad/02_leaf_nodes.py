# lesson 2, typed into a plain file because my laptop has no room for Jupyter
import autograd_core as torch

# I think nobody is a leaf until backward has been called?
is_leaf = {key: False for key in "abcdef"}


def make_weight(n):
    # 0.1 is the spread, a uniform distribution has spread width / sqrt(12)
    half_width = 0.1 * 3**0.5
    w = (torch.rand(n) - 0.5) * 2 * half_width
    w.requires_grad_()
    return w


def find_leaves(t):
    if t.grad_fn is None:
        return [t.detach()] if t.requires_grad else []
    found = []
    done = set()
    todo = [t.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in done:
            continue
        done.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable.detach())  # only the values, to be safe
        for nxt, _ in node.next_functions:
            todo.append(nxt)
    return found
