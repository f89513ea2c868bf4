"""What backward may return, and what is said when it may not."""

from tests.parity.harness import outcome


def _returning(torch, gradient, inputs=1):
    class Returning(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *tensors):
            total = tensors[0] * 1
            for tensor in tensors[1:]:
                total = total + tensor
            return total

        @staticmethod
        def backward(ctx, g):
            return gradient(g)

    leaves = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(inputs)]
    error = outcome(lambda: Returning.apply(*leaves).sum().backward())
    return [error, *(leaf.grad for leaf in leaves)]


def the_right_number(torch):
    return {
        "one": _returning(torch, lambda g: g * 2),
        "a_tuple_of_one": _returning(torch, lambda g: (g * 2,)),
        "two": _returning(torch, lambda g: (g * 2, g * 3), inputs=2),
        "a_list_of_two": _returning(torch, lambda g: [g * 2, g * 3], inputs=2),
    }


def the_wrong_number(torch):
    return {
        "two_for_one": _returning(torch, lambda g: (g, g)),
        "one_for_two": _returning(torch, lambda g: g, inputs=2),
        "three_for_two": _returning(torch, lambda g: (g, g, g), inputs=2),
        "none_for_one": _returning(torch, lambda g: ()),
        "extra_none": _returning(torch, lambda g: (g, None, None)),
    }


def none_means_no_gradient(torch):
    return {
        "for_the_only_one": _returning(torch, lambda g: None),
        "for_one_of_two": _returning(torch, lambda g: (None, g), inputs=2),
    }


def the_wrong_shape(torch):
    return {
        "longer": _returning(torch, lambda g: torch.ones(3)),
        "shorter": _returning(torch, lambda g: torch.ones(1)),
        "scalar": _returning(torch, lambda g: torch.tensor(1.0)),
        "more_axes": _returning(torch, lambda g: torch.ones(2, 2)),
        "summable": _returning(torch, lambda g: torch.ones(3, 2)),
        "column": _returning(torch, lambda g: torch.ones(2, 1)),
    }


def the_wrong_dtype(torch):
    return {
        "float64": _returning(torch, lambda g: g.double()),
        "int64": _returning(torch, lambda g: torch.tensor([1, 2])),
    }


def the_wrong_type(torch):
    return {
        "number": _returning(torch, lambda g: 2.0),
        "text": _returning(torch, lambda g: "two"),
        "nested": _returning(torch, lambda g: (g, [g]), inputs=2),
    }


def a_gradient_for_a_constant_is_dropped(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return g * 10, g * 20

    x = torch.tensor(1.0, requires_grad=True)
    c = torch.tensor(2.0)
    Product.apply(x, c).backward()
    return [x.grad, c.grad]


def a_gradient_for_what_is_no_tensor(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * 10, g * 20

    x = torch.tensor(1.0, requires_grad=True)
    return [outcome(Scale.apply(x, 3).backward), x.grad]


def the_incoming_gradient(torch):
    seen = []

    def keep(g):
        seen.append(g)
        return g

    _returning(torch, keep)
    return seen


def the_incoming_gradient_returned_for_two(torch):
    return _returning(torch, lambda g: (g, g), inputs=2)


def one_gradient_returned_for_two_leaves_is_not_aliased(torch):
    class Total(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g, g

    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([2.0], requires_grad=True)
    Total.apply(x, y).backward()
    x.grad.add_(100)
    return [x.grad, y.grad]


def changing_the_incoming_gradient_in_place(torch):
    def doubled(g):
        return g.mul_(2)

    return _returning(torch, doubled)


def broadcasting_is_not_undone_for_functions(torch):
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g, g

    x = torch.tensor([[1.0], [2.0]], requires_grad=True)
    y = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    return [outcome(Sum.apply(x, y).sum().backward), x.grad, y.grad]


def the_same_for_all_where_it_fits_only_some(torch):
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, number, y, z):
            return (x + y + z).sum()

        @staticmethod
        def backward(ctx, g):
            g = g.reshape(1)
            return g, None, g, g.expand(3)

    leaves = [torch.ones(n, requires_grad=True) for n in (1, 2, 1)]
    return outcome(lambda: Sum.apply(leaves[0], 5, *leaves[1:]).backward())
