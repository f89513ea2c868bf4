"""Hooks on tensors."""

from tests.parity.harness import outcome


def a_hook_sees_the_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(["y", g.tolist()]))
    x.register_hook(lambda g: seen.append(["x", g.tolist()]))
    (y * y).sum().backward()
    return [seen, x.grad]


def a_hook_replaces_the_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g + 1)
    y.sum().backward()
    return x.grad


def hooks_run_in_order(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []

    def hook(name, factor):
        def run(g):
            seen.append([name, g.item()])
            return g * factor

        return run

    x.register_hook(hook("first", 2))
    x.register_hook(hook("second", 3))
    (x * 1).backward()
    return [seen, x.grad]


def a_removed_hook_is_silent(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []
    handle = x.register_hook(lambda g: seen.append("removed"))
    x.register_hook(lambda g: seen.append("kept"))
    handle.remove()
    handle.remove()
    (x * 1).backward()
    return seen


def the_handle_is_a_context_manager(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []
    with x.register_hook(lambda g: seen.append(g.item())):
        (x * 2).backward()
    (x * 3).backward()
    return seen


def a_hook_on_a_leaf_sees_the_sum(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 2 + x * 3).backward()
    (x * 7).backward()
    return [seen, x.grad]


def hooks_and_retained_gradients(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 1
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.register_hook(lambda g: g * 5)
    (y * 1).backward()
    return [y.grad, x.grad]


def a_hook_on_what_does_not_require_grad(torch):
    return outcome(lambda: torch.tensor(1.0).register_hook(lambda g: g))


def a_hook_that_returns_the_wrong_thing(torch):
    def with_hook(result):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        y.register_hook(lambda g: result)
        return outcome(y.sum().backward)

    return [with_hook(3.0), with_hook(torch.ones(3)), with_hook(torch.ones(2).double())]


def a_hook_that_raises(torch):
    x = torch.tensor(1.0, requires_grad=True)

    def fail(g):
        raise ValueError("from the hook")

    x.register_hook(fail)
    return [outcome((x * 1).backward), x.grad]


def hooks_after_a_change_in_place(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(["before", g.tolist()]))
    y.mul_(10)
    y.register_hook(lambda g: seen.append(["after", g.tolist()]))
    (y * 5).backward()
    return seen


def hooks_on_the_root(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.backward()
    return x.grad


def hooks_are_called_in_order_of_the_graph(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []
    y = x
    for step in range(3):
        y = y * 2
        y.register_hook(lambda g, step=step: seen.append(step))
    y.backward()
    return seen


def the_order_of_branches(torch):
    x = torch.tensor(1.0, requires_grad=True)
    seen = []
    for combine in (lambda a, b: a + b, lambda a, b: b * a):
        first, second = x * 2, x * 3
        first.register_hook(lambda g: seen.append("first"))
        second.register_hook(lambda g: seen.append("second"))
        combine(first, second).backward()
    return seen


def _two_graphs(torch):
    """Two products of leaves, a third leaf, and a note of what runs on the way."""
    told = []
    leaves = [torch.ones(2, requires_grad=True) for _ in range(3)]
    products = [leaf * factor for leaf, factor in zip(leaves, (2, 3), strict=False)]
    for number, tensor in enumerate([*leaves, *products]):
        tensor.register_hook(lambda g, number=number: told.append(["tensor", number]))
    for number, product in enumerate(products):
        product.retain_grad()
        product.grad_fn.register_prehook(lambda _, number=number: told.append(["node", number]))
    return leaves, products, told


def of_roots_that_lead_to_no_input(torch):
    ones, seen = torch.ones(2), []
    for targets in ("z", "y", "yz"):
        for roots in ("x", "p", "pq", "px", "xy"):
            (x, y, z), (p, q), told = _two_graphs(torch)
            tensors = {"x": x, "y": y, "z": z, "p": p, "q": q}
            torch.autograd.backward(
                [tensors[name] for name in roots],
                [ones] * len(roots),
                inputs=[tensors[name] for name in targets],
            )
            seen.append([roots, targets, told, [each.grad for each in (x, y, z, p, q)]])
            (x, y, z), (p, q), told = _two_graphs(torch)
            tensors = {"x": x, "y": y, "z": z, "p": p, "q": q}
            grads = torch.autograd.grad(
                [tensors[name] for name in roots],
                [tensors[name] for name in targets],
                [ones] * len(roots),
                allow_unused=True,
            )
            seen.append([roots, targets, told, grads, [each.grad for each in (p, q)]])
    return seen


def on_several_tensors_one_of_them_the_only_root(torch):
    seen = []
    for mode in ("all", "any"):
        for inputs in (None, "x", "p"):
            for roots in ("p", "x", "pq"):
                (x, y, _), (p, q), told = _two_graphs(torch)
                tensors = {"x": x, "y": y, "p": p, "q": q}
                for names in ("xp", "pq", "xy", "xx", "p"):
                    torch.autograd.graph.register_multi_grad_hook(
                        [tensors[name] for name in names],
                        lambda grads, names=names, told=told: told.append([names, grads]),
                        mode=mode,
                    )
                torch.autograd.backward(
                    [tensors[name] for name in roots],
                    [torch.ones(2)] * len(roots),
                    inputs=tensors.get(inputs),
                )
                seen.append([mode, inputs, roots, told])
    return seen


def hooks_stay_with_what_was_transposed_in_place(torch):
    seen = []
    y = torch.ones(2, 3, requires_grad=True) * 2
    y.register_hook(lambda g: seen.append(["before", list(g.shape)]))
    y.t_()
    y.register_hook(lambda g: seen.append(["after", list(g.shape)]))
    y.sum().backward()
    return seen
