"""In which order leaves accumulate that become ready together, as their hooks see it."""


def _leaves(torch, count):
    """Return leaves, and a list in which their hooks put their numbers."""
    seen = []
    leaves = [torch.ones(2, requires_grad=True) for _ in range(count)]
    for number, leaf in enumerate(leaves):
        leaf.register_hook(lambda grad, number=number: seen.append(number))
    return leaves, seen


def _order(torch, count, make):
    leaves, seen = _leaves(torch, count)
    make(leaves).sum().backward()
    return seen


def two_factors(torch):
    return _order(torch, 2, lambda leaves: leaves[0] * leaves[1])


def a_sum_from_the_left(torch):
    return _order(torch, 7, sum)


def joined(torch):
    return [_order(torch, count, torch.cat) for count in range(2, 13)]


def stacked(torch):
    return [_order(torch, count, torch.stack) for count in (3, 8, 20)]


def joined_behind_products(torch):
    def make(leaves):
        return torch.cat([leaf * 2 for leaf in leaves[:3]] + leaves[3:])

    return [_order(torch, count, make) for count in (4, 6, 9, 12)]


def joined_before_products(torch):
    def make(leaves):
        return torch.cat(leaves[:4]) * torch.cat(leaves[4:])

    return _order(torch, 8, make)


def one_leaf_several_times(torch):
    def make(leaves):
        return torch.cat([leaves[0], *leaves, leaves[1]])

    return _order(torch, 6, make)


def leaves_of_a_network(torch):
    def make(leaves):
        x = torch.ones(2)
        for weight, bias in zip(leaves[::2], leaves[1::2], strict=True):
            x = torch.relu(x * weight + bias)
        return x

    return _order(torch, 8, make)


def several_roots(torch):
    leaves, seen = _leaves(torch, 6)
    roots = [torch.cat(leaves[:3]).sum(), (leaves[3] * leaves[4]).sum(), torch.cat(leaves).sum()]
    torch.autograd.backward(roots)
    return seen


def leaves_as_roots(torch):
    leaves, seen = _leaves(torch, 5)
    torch.autograd.backward(
        [leaf.sum() for leaf in leaves] + leaves, [None] * 5 + [torch.ones(2)] * 5
    )
    return seen


def gradients_of_chosen_leaves(torch):
    leaves, seen = _leaves(torch, 7)
    torch.autograd.grad(torch.cat(leaves).sum(), leaves[1::2])
    return seen


def backward_to_chosen_leaves(torch):
    leaves, seen = _leaves(torch, 7)
    torch.cat(leaves).sum().backward(inputs=leaves[::2])
    return seen


def after_accumulation(torch):
    seen = []
    leaves = [torch.ones(2, requires_grad=True) for _ in range(6)]
    for number, leaf in enumerate(leaves):
        leaf.register_post_accumulate_grad_hook(lambda leaf, number=number: seen.append(number))
    torch.cat(leaves).sum().backward()
    return seen


def a_function_of_several_leaves(torch):
    class Total(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *terms):
            return sum(terms)

        @staticmethod
        def backward(ctx, g):
            return (g,) * len(ctx.needs_input_grad)

    return _order(torch, 6, lambda leaves: Total.apply(*leaves))


def without_a_gradient_for_some(torch):
    class Chosen(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *terms):
            return sum(terms)

        @staticmethod
        def backward(ctx, g):
            return tuple(None if at % 2 else g for at in range(6))

    return _order(torch, 6, lambda leaves: Chosen.apply(*leaves))


def numbers_of_nodes(torch):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    first = x * 2
    second = y * 3
    third = first + second
    numbers = [each.grad_fn._sequence_nr() for each in (first, second, third)]
    return [number - numbers[0] for number in numbers]
