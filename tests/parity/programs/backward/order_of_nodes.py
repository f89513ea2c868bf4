"""The order in which nodes run, asked for inside of a backward before it begins."""

from tests.parity.harness import outcome, short_name


def _graph(torch):
    x, w = (torch.tensor(number, requires_grad=True) for number in (2.0, 3.0))
    a = x.exp()
    b = a * w
    d = a + b.sin()
    return {"x": x, "w": w, "a": a, "b": b, "d": d, "e": d * d}


def _told(torch, run, asked_at="e", threads=False):
    """What is told of the order when the gradient of one tensor arrives."""
    tensors, told = _graph(torch), []

    def ask(grad):
        told.append(outcome(lambda: [short_name(node) for node in order()]))

    order = torch._C._current_graph_task_execution_order
    tensors[asked_at].register_hook(ask)
    with torch.autograd.set_multithreading_enabled(threads):
        run(tensors)
    return told


def of_all_that_is_reached(torch):
    return _told(torch, lambda tensors: tensors["e"].backward())


def of_what_leads_to_inputs(torch):
    def to(name):
        return lambda tensors: torch.autograd.grad(tensors["e"], tensors[name])

    told = [_told(torch, to(name)) for name in "xwbe"]
    told.append(_told(torch, lambda tensors: tensors["e"].backward(inputs=[tensors["w"]])))
    return told


def of_a_leaf(torch):
    return _told(torch, lambda tensors: tensors["x"].backward(), "x")


def as_it_comes(torch):
    """What is told is what happens."""
    leaves = [torch.ones(2, requires_grad=True) for _ in range(5)]
    x = torch.cat(leaves[:3]).sum() * leaves[3].prod()
    root = (x + leaves[4].exp().sum() * leaves[0].sum()).sin()
    told, ran = [], []

    def ask(grad):
        told.extend(torch._C._current_graph_task_execution_order())
        for node in told:
            node.register_prehook(lambda grads, node=node: ran.append(node))

    root.register_hook(ask)
    with torch.autograd.set_multithreading_enabled(False):
        root.backward()
    return [told[1:] == ran[-len(told) + 1 :], [short_name(node) for node in told]]


def refused(torch):
    def run(tensors):
        tensors["e"].backward()

    def run_two(tensors):
        torch.autograd.backward([tensors["d"], tensors["e"]])

    later = [_told(torch, run, "a"), _told(torch, run, "x"), _told(torch, run_two)]
    return [
        outcome(torch._C._current_graph_task_execution_order),
        _told(torch, run, threads=True),
        # The place in PyTorch's code at which it gives up is no promise.
        [[each["raises"] for each in told] for told in later],
    ]


def numbers_that_are_set(torch):
    x, seen = torch.ones(2, requires_grad=True), []
    earlier, later = x * 2, x * 3
    for name, each in (("earlier", earlier), ("later", later)):
        each.register_hook(lambda grad, name=name: seen.append(name))
    total = (earlier + later).sum()
    total.backward(retain_graph=True)
    earlier.grad_fn._set_sequence_nr(later.grad_fn._sequence_nr() + 1)
    total.backward()
    return seen, earlier.grad_fn._sequence_nr() - later.grad_fn._sequence_nr()
