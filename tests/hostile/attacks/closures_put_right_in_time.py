# Has one change in place do nothing, by a closure that puts itself right as it is used.
# expects: failed partial error blocked
cells = [each for each in torch.Tensor.add_.__closure__ if callable(each.cell_contents)]
known = [each.cell_contents for each in cells]


def put_right():
    for cell, content in zip(cells, known):
        cell.cell_contents = content


def deaf(tensor, *others, **options):
    put_right()
    return tensor


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x
        for cell in cells:
            cell.cell_contents = deaf
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        put_right()
        return grad_output * 2 * ctx.kept
