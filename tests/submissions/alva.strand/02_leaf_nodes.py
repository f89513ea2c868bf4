def find_leaves(t):
    leaves = [t]
    return leaves
