"""Accumulation into a gradient whose memory was exchanged for one of another shape or dtype."""

from functools import partial

from tests.parity.harness import outcome


def of_another_shape_or_dtype(torch):
    def accumulated(other):
        leaf = torch.ones(3, requires_grad=True)
        leaf.grad = torch.zeros(3)
        leaf.grad.data = other
        leaf.sum().backward()
        return leaf.grad

    return [
        outcome(lambda: accumulated(torch.zeros(2))),
        outcome(lambda: accumulated(torch.zeros(1))),
        outcome(lambda: accumulated(torch.zeros(3, dtype=torch.float64))),
    ]


def of_one_element_for_all(torch):
    leaf, other = torch.ones(3, requires_grad=True), torch.ones(1)
    leaf.grad = other.expand(3)
    return [outcome(leaf.sum().backward), leaf.grad, other]


def where_they_lie(torch):
    """Leaves with and without gaps, gradients that lie as they do, otherwise, or are expanded."""
    whole = torch.ones(4, 3)
    leaves = (whole, torch.ones(3, 4).t(), whole[:1].expand(4, 3), torch.ones(4, 6)[:, ::2])
    gradients = (lambda: torch.ones(4, 3), lambda: torch.ones(3, 4).t(), lambda: whole[:1] * whole)

    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, make):
            ctx.make = make
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            made = ctx.make()
            ctx.make.address = made.data_ptr()
            return made, None

    seen = []
    for values in leaves:
        for make in gradients:
            leaf = values.detach().requires_grad_()
            Sum.apply(leaf, make).backward()
            kept = leaf.grad
            found = [kept.stride(), kept.data_ptr() == make.address, kept._version]
            Sum.apply(leaf, make).backward()
            seen.append([found, leaf.grad is kept, kept.stride()])
    return seen


def with_a_graph_of_leaves_with_gaps(torch):
    seen = []
    for values in (torch.ones(4, 6)[:, ::2], torch.ones(1, 3).expand(4, 3)):
        leaf = values.detach().requires_grad_()
        (leaf * leaf).sum().backward(create_graph=True)
        seen.append([leaf.grad, leaf.grad.stride(), leaf.grad._version])
    return seen


def that_does_not_lie_as_its_leaf_does(torch):
    leaf = torch.ones(2, 3, requires_grad=True)
    leaf.grad = torch.zeros(3, 2).t()
    leaf.sum().backward()
    return [leaf.grad, leaf.grad.stride()]


def of_a_leaf_that_got_another_shape(torch):
    def first_gradient(change):
        leaf = torch.tensor([1.0, 2.0], requires_grad=True)
        products = leaf * 3
        with torch.no_grad():
            change(leaf)
        products.sum().backward()
        return [leaf.grad, leaf.grad.stride()]

    def set_data(leaf):
        leaf.data = torch.ones(3, 2)

    def set_transposed_data(leaf):
        leaf.data = torch.ones(2, 2).t()

    def set_other_data(leaf):
        leaf.data = torch.ones(3, 3)

    return [
        outcome(partial(first_gradient, change))
        for change in (
            lambda leaf: leaf.unsqueeze_(0),
            lambda leaf: leaf.unsqueeze_(1),
            set_data,
            set_transposed_data,
            set_other_data,
        )
    ]


def of_a_leaf_that_got_fewer_dimensions(torch):
    def first_gradient(*shape):
        leaf = torch.ones(2, 1, requires_grad=True)
        products = leaf * 3
        leaf.data = torch.ones(shape)
        products.sum().backward()
        return leaf.grad

    return [outcome(partial(first_gradient, *shape)) for shape in ((1,), (2,), (3,))]
