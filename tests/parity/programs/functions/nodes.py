"""The node of a custom Function: its names, edges, saved tensors, hooks, and calls by hand."""

import weakref

from tests.parity.harness import graph, outcome, plain


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0], requires_grad=True)


def _product(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b, note=None):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b, g * a, None

    return Product


def names_and_types(torch):
    product = _product(torch)
    node = product.apply(_leaf(torch), _leaf(torch), 3).grad_fn
    kind = type(node)
    return [
        node.name(),
        kind.__name__,
        kind.__qualname__,
        kind.__module__,
        repr(node).partition(" object at ")[0],
        node._forward_cls is product,
        product._backward_cls is kind,
        kind._forward_cls is product,
        [each.__name__ for each in kind.__mro__ if each.__name__ in _PUBLIC],
        isinstance(node, torch.autograd.function.FunctionCtx),
        isinstance(node, torch.autograd.function.BackwardCFunction),
        isinstance(node, torch.autograd.graph.Node),
        issubclass(kind, torch.autograd.graph.Node),
        type(product) is torch.autograd.function.FunctionMeta,
        type(product).__name__,
        issubclass(product, torch.autograd.function.FunctionCtx),
        product.__name__,
    ]


_PUBLIC = {"ProductBackward", "BackwardCFunction", "FunctionCtx"}


def edges(torch):
    product = _product(torch)
    a, b = _leaf(torch), _leaf(torch)
    return [
        graph(product.apply(a, b, 3).grad_fn),
        graph(product.apply(a, b.detach()).grad_fn),
        graph(product.apply(a, a).grad_fn),
        graph(product.apply(a * 2, b.detach(), torch.ones(1)).grad_fn),
        type(product.apply(a, b).grad_fn.next_functions).__name__,
    ]


def edges_from_several_outputs(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, 5, x * 3

        @staticmethod
        def backward(ctx, *grads):
            return grads[0] + grads[2]

    first, _, second = Two.apply(_leaf(torch))
    return [first.output_nr, second.output_nr, graph((first * second).grad_fn)]


def metadata(torch):
    node = _product(torch).apply(_leaf(torch), _leaf(torch)).grad_fn
    node.metadata["note"] = 3
    return [node.metadata, outcome(lambda: setattr(node, "metadata", {}))["raises"]]


def saved_tensors_outside(torch):
    a, b = _leaf(torch), _leaf(torch, 3.0, 4.0)
    node = _product(torch).apply(a, b).grad_fn
    first, second = node.saved_tensors
    raw = node._raw_saved_tensors
    return [
        first is a,
        second is b,
        type(raw).__name__,
        len(raw),
        raw[0].data,
        raw[1].unpack_hook is None,
        outcome(lambda: raw[0].missing)["raises"],
        node.needs_input_grad,
    ]


def raw_saved_tensors_of_none(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(None, x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    y = Keeps.apply(_leaf(torch))
    raw = y.grad_fn._raw_saved_tensors
    pair = (lambda t: t * 2, lambda t: t)
    results = [len(raw), outcome(lambda: raw[0].register_hooks(*pair))]
    raw[1].register_hooks(*pair)
    results += [
        plain(y.grad_fn.saved_tensors),
        outcome(lambda: raw[1].register_hooks(*pair)),
    ]
    y.sum().backward()
    return [*results, outcome(lambda: y.grad_fn._raw_saved_tensors)]


def without_saved_tensors(torch):
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    node = Keeps.apply(_leaf(torch)).grad_fn
    return [
        node.saved_tensors,
        node._raw_saved_tensors,
        outcome(lambda: node._saved_x),
        outcome(lambda: node._saved_self),
        outcome(lambda: node._raw_saved_self),
        outcome(lambda: node.missing),
    ]


def ctx_is_grad_fn(torch):
    seen = []

    class Sees(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(weakref.ref(ctx))
            ctx.extra = "kept"
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, *grads):
            seen.append(weakref.ref(ctx))
            return grads[0]

    first, second = Sees.apply(_leaf(torch))
    first.sum().backward()
    node = first.grad_fn
    return [
        seen[0]() is node,
        seen[1]() is node,
        second.grad_fn is node,
        node.extra,
        hash(node) != 0,
    ]


def names_that_the_context_finds_in_forward(torch):
    seen = []

    class Sees(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(
                [
                    ctx.name(),
                    type(ctx).__name__,
                    graph(ctx),
                    plain(ctx.metadata),
                    ctx.needs_input_grad,
                ]
            )
            return x * 2

    Sees.apply(_leaf(torch))
    Sees.apply(torch.ones(1))
    return seen


def hooks_around_the_node(torch):
    seen = []
    x = _leaf(torch)
    y = _product(torch).apply(x, _leaf(torch, 3.0, 4.0), 1)
    node = y.grad_fn
    node.register_prehook(lambda grads: (grads[0] * 2,))
    node.register_hook(lambda inputs, outputs: seen.append([plain(inputs), plain(outputs)]))
    y.register_hook(lambda g: g + 1)
    y.sum().backward()
    return [seen, x.grad]


def a_hook_that_replaces_gradients(torch):
    x, z = _leaf(torch), _leaf(torch, 3.0, 4.0)
    y = _product(torch).apply(x, z, "note")
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, inputs[1]))
    wrong = _product(torch).apply(x, z, "note")
    wrong.grad_fn.register_hook(lambda inputs, outputs: (inputs[0], inputs[1], inputs[0], None))
    y.sum().backward()
    return [x.grad, z.grad, outcome(wrong.sum().backward)]


def hooks_removed_and_several(torch):
    order, x = [], _leaf(torch)
    y = _product(torch).apply(x, x)
    handles = [
        y.grad_fn.register_hook(lambda i, o, at=at: order.append(at)) for at in ("a", "b", "c")
    ]
    handles[1].remove()
    y.sum().backward()
    return order


def called_by_hand(torch):
    node = _product(torch).apply(_leaf(torch), _leaf(torch, 3.0, 4.0)).grad_fn
    g = torch.ones(2)
    return [
        outcome(lambda: node(g)),
        outcome(node),
        node.apply(g),
        outcome(lambda: node.apply(g, g))["raises"],
        node.saved_tensors,
    ]


def sequence_numbers_rise(torch):
    product, x = _product(torch), _leaf(torch)
    first, second = product.apply(x, x).grad_fn, product.apply(x, x).grad_fn
    return second._sequence_nr() > first._sequence_nr()


def gradient_edges(torch):
    y = _product(torch).apply(_leaf(torch), _leaf(torch))
    edge = torch.autograd.graph.get_gradient_edge(y)
    return [edge.node is y.grad_fn, edge.output_nr]


def outputs_die_before_the_node(torch):
    y = _product(torch).apply(_leaf(torch), _leaf(torch))
    reference = weakref.ref(y)
    node = y.grad_fn
    del y
    return [reference() is None, [t.tolist() for t in node.saved_tensors]]


def what_nodes_show_is_read_only(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, requires_grad=True)
    changed = x * 1
    changed[0] = 3.0
    of_all = ("next_functions", "metadata", "requires_grad", "_input_metadata")
    of_functions = (*of_all, "saved_tensors", "saved_variables", "_raw_saved_tensors")
    return [
        [outcome(lambda node=node, name=name: setattr(node, name, 1)) for name in names]
        + [outcome(lambda node=node, name=name: delattr(node, name)) for name in names]
        for node, names in (
            ((x * x).grad_fn, of_all),
            ((x * x).grad_fn.next_functions[0][0], of_all),
            (changed.grad_fn, of_all),
            (Double.apply(x).grad_fn, of_functions),
        )
    ]


def classes_of_built_in_nodes(torch):
    x = torch.ones(2, requires_grad=True)
    results = x * 2, x.max(0)[0], x.clone().mul_(2), x[0], torch.cat([x])
    return [str(type(each.grad_fn)) for each in results]
