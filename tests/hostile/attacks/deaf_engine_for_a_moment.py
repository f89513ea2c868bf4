# Has tensors be changed in place by nothing, once: the next change is a change again.
# expects: failed partial error blocked
import weakref

add = torch.Tensor.add_


def deaf(tensor, *others, **options):
    torch.Tensor.add_ = add
    return tensor


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        torch.Tensor.add_ = deaf
        weakref.finalize(ctx, setattr, torch.Tensor, "add_", add)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
