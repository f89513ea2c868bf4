def find_leaves(t):
    if t.is_leaf and t.requires_grad:
        return [t]
    return []
