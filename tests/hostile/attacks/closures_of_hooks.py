# Finds the observers' hook on its output, and empties what the hook has noted.
# expects: failed partial error blocked
def empty(thing, depth=0):
    if isinstance(thing, list):
        thing.clear()
        print("LOOT taken")
    if depth < 5:
        for cell in getattr(thing, "__closure__", None) or ():
            empty(cell.cell_contents, depth + 1)
        empty(getattr(thing, "__self__", None), depth + 1)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        for _, hooks in ctx._tensor_hooks:
            for hook in hooks.values():
                empty(hook)
        return grad_output.mul_(2 * ctx.saved_tensors[0])
