# Makes the node of the graph another one: of another class, with other edges and other answers.
# expects: failed partial error blocked
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        other = (x.detach().requires_grad_() ** 3).grad_fn
        for name in ("__class__", "next_functions", "saved_tensors", "dirty_tensors", "name"):
            try:
                setattr(ctx, name, getattr(other, name, None))
            except Exception:
                continue
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
