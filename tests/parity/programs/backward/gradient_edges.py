"""`torch.autograd.graph`: places of the graph without tensors, and hooks on several tensors."""

from tests.parity.harness import outcome, short_name


def _graph(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    return x, y, (y * y).sum()


def an_edge_is_node_and_number(torch):
    x, y, _ = _graph(torch)
    first, second = (torch.ones(4, requires_grad=True) * 1).sort()[0], y
    edges = [torch.autograd.graph.get_gradient_edge(each) for each in (x, y, first)]
    return [
        [[short_name(edge.node), edge.output_nr] for edge in edges],
        edges[1].node is second.grad_fn,
        edges[0].node is y.grad_fn.next_functions[0][0],
        isinstance(edges[0], torch.autograd.graph.GradientEdge),
        list(edges[0]._fields),
        edges[0].ownership_token,
    ]


def tensors_without_grad_have_no_edge(torch):
    return outcome(lambda: torch.autograd.graph.get_gradient_edge(torch.ones(2)))


def edges_stand_for_inputs(torch):
    x, y, z = _graph(torch)
    edge_x, edge_y = map(torch.autograd.graph.get_gradient_edge, (x, y))
    by_edge = torch.autograd.grad(z, [edge_y, x, edge_x], retain_graph=True)
    torch.autograd.backward(z, inputs=[edge_x], retain_graph=True)
    first = x.grad.clone()
    torch.autograd.backward(z, inputs=edge_y)
    return [by_edge, first, x.grad, y.retains_grad]


def edges_stand_for_roots(torch):
    x, y, z = _graph(torch)
    edge_y, edge_z = map(torch.autograd.graph.get_gradient_edge, (y, z))
    ones = torch.ones(2)
    del z
    results = [
        torch.autograd.grad(edge_z, x, retain_graph=True),
        torch.autograd.grad(edge_z, y, torch.tensor(3.0), retain_graph=True),
        torch.autograd.grad([edge_y, edge_z], [x, edge_y], [ones, None], retain_graph=True),
    ]
    torch.autograd.backward([edge_z, edge_y], [None, ones])
    return [results, x.grad]


def edges_that_do_not_fit(torch):
    x, y, z = _graph(torch)
    edge = torch.autograd.graph.get_gradient_edge(y)
    other = torch.autograd.graph.get_gradient_edge(torch.ones(2, requires_grad=True) * 2)
    grad = torch.autograd.grad
    return [
        outcome(lambda: grad(edge, x)),
        outcome(lambda: grad(edge, x, torch.ones(3))),
        outcome(lambda: grad(z, other, retain_graph=True)),
        outcome(lambda: grad(z, other, retain_graph=True, allow_unused=True)),
        outcome(lambda: grad(z, other, retain_graph=True, materialize_grads=True)),
        outcome(lambda: grad(z, [3], retain_graph=True)),
    ]


def an_edge_serves_after_a_change_in_place(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    before = torch.autograd.graph.get_gradient_edge(y)
    y.mul_(5)
    after = torch.autograd.graph.get_gradient_edge(y)
    return torch.autograd.grad((y * 3).sum(), [before, after, y])


def a_hook_on_several_waits_for_all(torch):
    seen = []
    a, b = (torch.ones(2, requires_grad=True) for _ in range(2))
    c, d = a * b, a * b
    handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), seen.append)
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    (c + d).sum().backward(retain_graph=True)
    handle.remove()
    c.sum().backward()
    return seen


def a_hook_on_several_takes_the_first(torch):
    seen = []
    a = torch.ones(2, requires_grad=True)
    c, d = a * 2, a * 3
    constant = torch.ones(2)
    hook = torch.autograd.graph.register_multi_grad_hook
    with hook((c, constant, d), seen.append, mode="any"):
        (c * 2 + d * 3).sum().backward(retain_graph=True)
        (c * 2 + d * 3).sum().backward(retain_graph=True)
        torch.autograd.grad(c.sum(), a, retain_graph=True)
    c.sum().backward()
    return seen


def a_hook_on_several_in_autograd_grad(torch):
    seen = []
    x, y, z = _graph(torch)
    w = y * 3
    hook = torch.autograd.graph.register_multi_grad_hook
    with hook((y, w), seen.append):
        torch.autograd.grad(z, x, retain_graph=True)
        torch.autograd.grad(z + w.sum(), y, retain_graph=True)
    with hook((x, y), seen.append):
        refused = outcome(lambda: torch.autograd.grad(z, x, retain_graph=True))
    return [seen, refused]


def a_hook_on_several_has_rules(torch):
    x, _, _ = _graph(torch)
    hook = torch.autograd.graph.register_multi_grad_hook
    return [
        outcome(lambda: hook((x,), print, mode="some")),
        outcome(lambda: hook((x, torch.ones(2)), print)),
        outcome(lambda: hook((x, 3), print)),
        outcome(lambda: hook((None, x), print, mode="any")),
        outcome(lambda: isinstance(hook((), print), torch.utils.hooks.RemovableHandle)),
    ]


def a_hook_on_several_and_a_change_in_place(torch):
    seen = []
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    torch.autograd.graph.register_multi_grad_hook((x, y), seen.append)
    y.mul_(5)
    y.sum().backward()
    return seen


def an_error_in_a_hook_on_several(torch):
    x, y, z = _graph(torch)

    def fail(grads):
        raise ValueError("from the hook")

    with torch.autograd.graph.register_multi_grad_hook((x, y), fail):
        failed = outcome(lambda: z.backward(retain_graph=True))
    z.backward()
    return [failed, x.grad]


def versions_can_be_incremented(torch):
    increment = torch.autograd.graph.increment_version
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    results = [increment(y), y._version, increment([x, y[0]]), x._version, y._version]
    return [
        results,
        outcome(lambda: increment(3)),
        outcome(lambda: increment([3])),
        outcome(z.sum().backward),
    ]


def the_first_of_any_with_a_backward_inside(torch):
    seen = []
    y = torch.ones(2, requires_grad=True) * 1
    z = y * y

    def hook(g):
        seen.append(g.tolist())
        if len(seen) < 3:
            with torch.enable_grad():
                (y * y).sum().backward(retain_graph=True)

    torch.autograd.graph.register_multi_grad_hook((y, y, z), hook, mode="any")
    (y * z).sum().backward()
    return seen


def the_leaf_of_an_accumulator(torch):
    x, y, _ = _graph(torch)
    node = y.grad_fn.next_functions[0][0]
    refused = [
        outcome(lambda: setattr(node, "variable", y)),
        outcome(lambda: delattr(node, "variable")),
    ]
    return [refused, node.variable is x]


def where_gradients_arrive(torch):
    graph = torch.autograd.graph
    x, y, z = _graph(torch)
    arrives = graph._get_grad_fn_or_grad_acc
    base = torch.zeros(2)
    view = base[:1]
    base.requires_grad_()
    return [
        arrives(x) is y.grad_fn.next_functions[0][0],
        arrives(y) is y.grad_fn,
        arrives(graph.get_gradient_edge(z)) is z.grad_fn,
        outcome(lambda: arrives(x.detach())),
        outcome(lambda: arrives(view)),
        outcome(lambda: graph.get_gradient_edge(view)),
    ]


def hooks_of_several_tensors_called_outside_of_backward(torch):
    seen = []
    for mode in ("all", "any"):
        x = torch.ones(2, requires_grad=True)
        torch.autograd.graph.register_multi_grad_hook([x], seen.append, mode=mode)
        (hook,) = x._backward_hooks.values()
        seen.append(outcome(lambda hook=hook: hook(torch.ones(2))))
    return seen
