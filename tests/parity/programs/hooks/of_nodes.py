"""Hooks on the nodes of the graph, and what else a node shows."""

import copy
import pickle

from tests.parity.function_material import returning
from tests.parity.harness import outcome, short_name


def _leaf(torch):
    return torch.ones(2, requires_grad=True)


def _scale(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    return Scale


def hooks_see_what_comes_and_goes(torch):
    x, seen = _leaf(torch), []
    for y in (x.exp(), _scale(torch).apply(x, 3.0), x * 2, x.sum()):
        y.grad_fn.register_hook(lambda gi, go: seen.append([list(gi), list(go)]))
        y.grad_fn.register_prehook(lambda go: seen.append(list(go)))
        y.sum().backward()
    return seen


def hooks_replace_gradients(torch):
    results = []
    for make in (lambda x: x.exp(), lambda x: _scale(torch).apply(x, 3.0)):
        x = _leaf(torch)
        y = make(x)
        y.grad_fn.register_prehook(lambda go: (go[0] * 2,))
        y.grad_fn.register_prehook(lambda go: (go[0] + 1,))
        y.grad_fn.register_hook(lambda gi, go: (gi[0] * 10, *gi[1:]))
        y.grad_fn.register_hook(lambda gi, go: (gi[0] + go[0], *gi[1:]))
        y.sum().backward()
        results.append(x.grad)
    return results


def what_hooks_may_return(torch):
    one, two, kind = torch.ones(2), torch.ones(2).double(), torch.float32
    results = []
    for value in (None, 3, one, (), (one, one), (torch.ones(3),), (two,), (None,), [one], kind):
        for register in ("register_hook", "register_prehook"):
            x = _leaf(torch)
            y = x.clone()
            getattr(y.grad_fn, register)(lambda *grads, value=value: value)
            results.append([outcome(y.sum().backward), x.grad])
    return results


def the_accumulator_has_hooks_too(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_prehook(lambda go: (go[0] * 5,))
    accumulator.register_hook(lambda gi, go: seen.append([gi, go[0].tolist()]))
    y.sum().backward(retain_graph=True)
    accumulator.register_hook(lambda gi, go: (torch.ones(2),))
    return [seen, x.grad, outcome(y.sum().backward)]


def a_leaf_takes_a_gradient_that_hooks_look_at(torch):
    def looked_at(create_graph):
        x, seen = _leaf(torch), []

        def look(grad_inputs, grad_outputs):
            (grad,) = grad_outputs
            seen.append([grad.data_ptr() == x.grad.data_ptr(), grad.requires_grad])
            if not create_graph:
                grad.mul_(5)

        y = x * x
        accumulator = y.grad_fn.next_functions[0][0]
        accumulator.register_hook(look)
        for _ in range(2):
            y.sum().backward(create_graph=create_graph, retain_graph=True)
        return [seen, x.grad]

    return [looked_at(False), looked_at(True)]


def hooks_of_an_accumulator_go_with_the_graph(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    y.grad_fn.next_functions[0][0].register_hook(lambda gi, go: seen.append("called"))
    y.sum().backward()
    del y
    (x * 2).sum().backward()
    return seen


def an_undefined_gradient_is_none(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, first, second):
            return first

    seen = []
    first, _ = Two.apply(_leaf(torch))
    first.grad_fn.register_prehook(lambda go: seen.append(list(go)))
    first.grad_fn.register_hook(lambda gi, go: seen.append([list(gi), list(go)]))
    first.sum().backward(retain_graph=True)
    first.grad_fn.register_prehook(lambda go: (go[0], torch.ones(2)))
    return [seen, outcome(first.sum().backward)]


def a_gradient_for_what_needs_none_is_none(torch):
    x, seen = _leaf(torch), []
    y = x * torch.full((2,), 3.0)
    y.grad_fn.register_hook(lambda gi, go: seen.append(list(gi)))
    y.sum().backward()
    return [seen, x.grad]


def hooks_see_gradients_in_the_shape_of_the_inputs(torch):
    class Careless(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return torch.ones(3, 2).double()

    x, seen = _leaf(torch), []
    y = Careless.apply(x)
    y.grad_fn.register_hook(lambda gi, go: seen.append(list(gi)))
    y.sum().backward()
    return [seen, x.grad]


def handles_remove(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    handle = y.grad_fn.register_hook(lambda gi, go: seen.append("after"))
    with y.grad_fn.register_prehook(lambda go: seen.append("before")):
        y.sum().backward(retain_graph=True)
    handle.remove()
    handle.remove()
    y.sum().backward()
    return seen


def prehooks_do_not_run_where_the_walk_ends(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    y.grad_fn.register_prehook(lambda go: seen.append("before"))
    y.grad_fn.register_hook(lambda gi, go: seen.append("after"))
    z = (y * 3).sum()
    torch.autograd.grad(z, y, retain_graph=True)
    seen.append("grad")
    torch.autograd.grad(z, [y, x], retain_graph=True)
    seen.append("inputs")
    z.backward(inputs=[y], retain_graph=True)
    return [seen, x.grad, y.grad]


def an_input_of_backward_runs_its_own_function(torch):
    seen = []

    class Noisy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            seen.append("ran")
            return g * 2

    x = _leaf(torch)
    y = Noisy.apply(x)
    y.sum().backward(inputs=[y])
    return [seen, y.grad, x.grad]


def calling_a_node_calls_no_hooks(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: seen.append("after"))
    y.grad_fn.register_prehook(lambda go: seen.append("before"))
    return [y.grad_fn(torch.ones(2)), y.grad_fn(None), seen]


def a_node_takes_one_gradient_for_each_output(torch):
    node = (_leaf(torch) * 2).grad_fn
    return [outcome(node), outcome(lambda: node(None, None)), outcome(lambda: node(3))]


def an_error_in_a_hook_leaves_all_usable(torch):
    x = _leaf(torch)
    y = x * x

    def fail(*grads):
        raise ValueError("from the hook")

    results = []
    for register in ("register_hook", "register_prehook"):
        with getattr(y.grad_fn, register)(fail):
            results.append(outcome(lambda: y.sum().backward(retain_graph=True)))
            results.append([torch.is_grad_enabled(), x.grad])
    y.sum().backward()
    return [results, x.grad]


def nodes_are_nodes(torch):
    node_class = torch.autograd.graph.Node
    x = _leaf(torch)
    y = x * 2
    nodes = [y.grad_fn, _scale(torch).apply(x, 2.0).grad_fn, y.grad_fn.next_functions[0][0]]
    return [
        [isinstance(each, node_class) for each in (*nodes, None, 3, x, node_class)],
        [issubclass(type(each), node_class) for each in nodes],
        [node_class in type(each).__mro__ for each in nodes],
        issubclass(node_class, node_class),
        outcome(node_class)["raises"],
        sorted(node_class.__abstractmethods__),
    ]


def nodes_have_metadata_and_numbers(torch):
    x = _leaf(torch)
    y = x * 2
    z = y.exp()
    y.grad_fn.metadata["note"] = [1, 2]
    accumulator = y.grad_fn.next_functions[0][0]
    return [
        y.grad_fn.metadata,
        z.grad_fn.metadata,
        z.grad_fn._sequence_nr() - y.grad_fn._sequence_nr(),
        accumulator._sequence_nr() == 2**64 - 1,
        isinstance(y.grad_fn.next_functions, tuple),
        [None if node is None else short_name(node) for node, _ in y.grad_fn.next_functions],
        y.grad_fn is y.grad_fn,
        accumulator.variable is x,
    ]


def hooks_on_the_node_of_a_changed_view(torch):
    seen = []
    base = _leaf(torch) * 1
    view = base[:1]
    view.mul_(3)
    base.grad_fn.register_prehook(lambda go: seen.append(["base", list(go)]))
    base.grad_fn.register_hook(lambda gi, go: seen.append(["base after", list(gi)]))
    view.grad_fn.register_prehook(lambda go: seen.append(["view", list(go)]))
    (base.sum() + view.sum()).backward()
    return seen


def hooks_of_a_node_stay_when_its_tensor_is_changed(torch):
    seen = []
    y = _leaf(torch) * 2
    y.grad_fn.register_prehook(lambda go: seen.append(["old", list(go)]))
    y.mul_(5)
    y.grad_fn.register_prehook(lambda go: seen.append(["new", list(go)]))
    y.sum().backward()
    return seen


def indices_are_no_outputs_of_nodes(torch):
    seen = []
    for make in (
        lambda x: x.max(0), lambda x: x.sort(0), lambda x: x.topk(1), lambda x: x.median(0),
        lambda x: x.kthvalue(1), lambda x: x.cummax(0), lambda x: x.mode(0),
    ):  # fmt: skip
        x = torch.tensor([[1.0, 5.0], [3.0, 2.0]], requires_grad=True)
        values, _ = make(x)
        node = values.grad_fn
        node.register_prehook(lambda grads: seen.append(len(grads)))
        node.register_hook(lambda into, outof: seen.append([len(into), len(outof)]))
        seen.append([node.name(), len(node._input_metadata), node(torch.ones(values.shape))])
        seen.append(outcome(lambda node=node: node(torch.ones(2), None)))
        values.sum().backward()
        seen.append(x.grad)
    return seen


def nodes_take_no_keywords(torch):
    y = torch.ones(2, requires_grad=True) * 2
    return outcome(lambda: y.grad_fn(torch.ones(2), retain=True))


def hooks_find_what_was_saved(torch):
    x, seen = _leaf(torch), []
    y = x.exp()
    y.grad_fn.register_hook(lambda gi, go: seen.append(y.grad_fn._saved_result))
    y.sum().backward()
    return [seen, outcome(lambda: y.grad_fn._saved_result)]


def what_was_saved_outlives_a_hook_that_fails(torch):
    def fail(gi, go):
        raise ValueError("the hook")

    x, other = _leaf(torch), torch.full((1,), 3.0, requires_grad=True)
    part = x * 1
    part[:1].mul_(other)
    results = []
    for y in (x.exp(), part):
        handle = y.grad_fn.register_hook(fail)
        results.append(outcome(y.sum().backward))
        handle.remove()
        results += [outcome(y.sum().backward), x.grad, outcome(y.sum().backward)]
    return results


def nodes_cannot_be_copied(torch):
    x = _leaf(torch)
    nodes = [x.exp().grad_fn, _scale(torch).apply(x, 2.0).grad_fn]
    ways = (copy.copy, copy.deepcopy, pickle.dumps)
    return [outcome(lambda way=way, node=node: way(node)) for node in nodes for way in ways]


def hooks_see_only_the_gradients_that_are_needed(torch):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = {}
    for name, function in {
        "mul": lambda x, y: x * y,
        "where": lambda x, y: torch.where(x > 0, x, y),
        "dot": lambda x, y: x @ y,
        "cat": lambda x, y: torch.cat([x, y]),
        "stack": lambda x, y: torch.stack([x, y]),
        "linear": lambda x, y: torch.nn.functional.linear(x.view(1, 2), y.view(1, 2)),
        "mul_": lambda x, y: (x * 1).mul_(y),
        "copy_": lambda x, y: (x * 1).copy_(y),
        "mse_loss": torch.nn.functional.mse_loss,
    }.items():
        told = seen[name] = []
        z = function(a * 1, b * 1)
        z.grad_fn.register_hook(
            lambda grads, _, told=told: told.append([grad is not None for grad in grads])
        )
        torch.autograd.grad(z.sum(), a, retain_graph=True)
        torch.autograd.grad(z.sum(), b, retain_graph=True)
        z.sum().backward(inputs=[b], retain_graph=True)
        z.sum().backward(inputs=[z], retain_graph=True)
        z.sum().backward()
    return seen


def hooks_of_custom_functions_see_all_gradients(torch):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    z, told = returning(torch, lambda ctx, g: (g, g)).apply(a, b), []
    z.grad_fn.register_hook(lambda grads, _: told.append([grad is not None for grad in grads]))
    torch.autograd.grad(z.sum(), a)
    return told


def the_index_of_a_wrong_gradient_counts_tensors(torch):
    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, number, x, other, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return None, g, None, torch.ones(5)

    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = [outcome(lambda: Function.apply(5, a, 6, b).sum().backward())]
    scattered = a.scatter(0, torch.tensor([0]), b)
    return [*seen, outcome(lambda: scattered.sum().backward())]


def a_hook_sees_no_gradient_that_goes_nowhere(torch):
    x, p = torch.ones(2), torch.ones(2, 2, requires_grad=True)
    told = []

    def note(grads, _):
        told.append([None if grad is None else grad.tolist() for grad in grads])

    for operation in (
        lambda: x - p,
        lambda: p + x,
        lambda: x * p,
        lambda: torch.maximum(x, p),
        lambda: torch.addcmul(x, p, p),
        lambda: torch.stack([x, p[0]]),
        lambda: torch.cat([p[1], x.int()]),
    ):
        z = operation()
        told.append(z.grad_fn(torch.ones_like(z)))
        z.grad_fn.register_hook(note)
        z.sum().backward()
    return told


def an_accumulator_shows_a_gradient_that_requires_grad(torch):
    x, given = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = []
    accumulator = torch.autograd.graph.get_gradient_edge(x).node
    accumulator.register_hook(lambda _, grads: seen.append([grads[0], grads[0] is given]))
    x.backward(given)
    return [seen, x.grad]


def what_they_refuse_and_their_names(torch):
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    leaf = torch.ones(2, requires_grad=True)
    accumulator = torch.autograd.graph.get_gradient_edge(leaf).node
    whole = leaf * 1
    whole[:1].mul_(2)
    return [
        outcome(lambda: node._register_hook_dict(3)),
        outcome(lambda: node._register_hook_dict(None)),
        *[repr(each).partition(" at 0x")[0] for each in (node, accumulator, whole.grad_fn)],
    ]
