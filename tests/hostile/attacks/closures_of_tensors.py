# Puts functions of its own into the closures of tensors' methods: nothing is changed in place any more.
# expects: failed partial error blocked
for name in ("add_", "sub_", "mul_"):
    for cell in getattr(torch.Tensor, name).__closure__ or ():
        if callable(cell.cell_contents):
            cell.cell_contents = lambda tensor, *others, **options: tensor


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
