"""Rules of the engine: backward inside backward, errors, freed parts, roots, accumulation."""

from functools import partial

from tests.parity.harness import outcome


def _leaf(torch, n=2):
    return torch.ones(n, requires_grad=True)


def _returning(torch):
    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, grad):
            ctx.grad = grad
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return ctx.grad, None

    return Returns


def a_backward_inside_a_backward(torch):
    seen = []

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            seen.append(torch.is_grad_enabled())
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                (x * x).sum().backward()
            seen.append([x.grad, torch.is_grad_enabled()])
            return g * x.grad

    x = _leaf(torch)
    Inner.apply(x).sum().backward()
    return [seen, x.grad]


def a_backward_inside_a_hook(torch):
    x, w = _leaf(torch), _leaf(torch)
    y, z = x * 2, (w * 3).sum()
    y.register_hook(lambda g: z.backward(retain_graph=True))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return [x.grad, w.grad]


def a_backward_into_the_same_leaf_inside_a_hook(torch):
    x = _leaf(torch)
    y = x * 2

    def hook(g):
        with torch.enable_grad():
            (x * 3).sum().backward()

    y.register_hook(hook)
    y.sum().backward()
    return x.grad


def a_backward_inside_a_backward_that_fails(torch):
    x = _leaf(torch)
    y = x * 2

    def hook(g):
        with torch.enable_grad():
            (x * x).backward()

    y.register_hook(hook)
    failed = outcome(y.sum().backward)
    (x * 2).sum().backward()
    return [failed, x.grad, torch.is_grad_enabled()]


def an_error_leaves_the_engine_usable(torch):
    x = _leaf(torch)
    y = x * x

    def fail(g):
        raise ValueError("from the hook")

    handle = y.register_hook(fail)
    failed = outcome(lambda: y.sum().backward())
    state = [torch.is_grad_enabled(), x.grad]
    handle.remove()
    return [failed, state, outcome(lambda: y.sum().backward()), x.grad]


def an_error_restores_grad_mode(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            torch.set_grad_enabled(True)
            raise ValueError("from backward")

    y = Fails.apply(_leaf(torch)).sum()
    with torch.no_grad():
        failed = outcome(y.backward)
        inside = torch.is_grad_enabled()
    return [failed, inside, torch.is_grad_enabled()]


def a_part_of_the_graph_is_freed(torch):
    x = _leaf(torch)
    y = x.exp()
    a, b = y * y, y * 3
    a.sum().backward()
    return [outcome(b.sum().backward), outcome(a.sum().backward), x.grad]


def what_saves_nothing_can_be_walked_again(torch):
    x = _leaf(torch)
    y = (x + 1).sum()
    y.backward()
    y.backward()
    return x.grad


def an_unneeded_part_is_not_freed(torch):
    x, w = _leaf(torch), _leaf(torch)
    y, z = x.exp(), w.exp()
    total = (y + z).sum()
    total.backward(inputs=[x])
    return [x.grad, w.grad, outcome(z.sum().backward), w.grad, outcome(y.sum().backward)]


def retaining_and_creating(torch):
    x = _leaf(torch)
    y = (x * x).sum()
    results = []
    for arguments in ({"create_graph": True}, {"create_graph": True, "retain_graph": False}, {}):
        x.grad = None
        results.append([outcome(lambda arguments=arguments: y.backward(**arguments)), x.grad])
    x.grad = None
    return results


def several_roots_share_a_graph(torch):
    x = _leaf(torch)
    y = x * 2
    torch.autograd.backward([y.sum(), (y * y).sum(), (x * x).sum()])
    return x.grad


def one_root_several_times(torch):
    x = _leaf(torch)
    z = (x * x).sum()
    torch.autograd.backward([z, z, z], retain_graph=True)
    return [x.grad, torch.autograd.grad([z, z], [x, z], [None, torch.tensor(3.0)])]


def a_root_above_another(torch):
    x = _leaf(torch)
    y = x * 2
    z = y * 3
    torch.autograd.backward([y, z], [torch.ones(2), torch.ones(2)])
    return x.grad


def leaves_as_roots(torch):
    x = _leaf(torch)
    g = torch.tensor([3.0, 4.0])
    x.backward(g)
    x.backward(g)
    return [x.grad, torch.autograd.grad(x, x, g), g]


def gradients_that_a_function_returns(torch):
    results = []
    ones = torch.ones(2)
    wrong = [torch.ones(3), torch.ones(1), torch.tensor(1.0), torch.ones(3, 3), 3, [ones]]
    for grad in (ones.double(), ones.long(), torch.ones(2, 2), torch.ones(1, 2), None, *wrong):
        x = _leaf(torch)
        y = _returning(torch).apply(x, grad).sum()
        results.append([outcome(y.backward), x.grad])
    return results


def gradients_that_roots_are_given(torch):
    results = []
    for grad in (torch.ones(2).double(), torch.ones(2).long(), torch.ones(1), 1.0, [1.0, 1.0]):
        x = _leaf(torch)
        y = x * 2
        results.append([outcome(lambda y=y, grad=grad: y.backward(grad)), x.grad])
    return results


def a_gradient_that_requires_grad(torch):
    x = _leaf(torch)
    g = torch.ones(2, requires_grad=True)
    (x * 2).backward(g)
    plain = x.grad
    first = torch.autograd.grad(x * 3, x, g, create_graph=True)
    return [plain, first, torch.autograd.grad(first[0].sum(), g)]


def the_gradient_is_nobody_elses(torch):
    g = torch.ones(2)
    x = _leaf(torch)
    x.backward(g)
    y = _leaf(torch)
    y.clone().backward(g)
    a, b = _leaf(torch), _leaf(torch)
    (a + b).backward(g)
    held = []
    c = _leaf(torch)
    d = c * 1
    d.register_hook(held.append)
    d.clone().backward(g)
    places = [each.grad.data_ptr() for each in (x, y, a, b, c)]
    return [len({*places, g.data_ptr()}), held[0].data_ptr() in places, g]


def accumulating_keeps_the_same_tensor(torch):
    x = _leaf(torch)
    (x * 1).sum().backward()
    first, place = x.grad, x.grad.data_ptr()
    (x * 1).sum().backward()
    return [x.grad is first, x.grad.data_ptr() == place, first, first._version > 0]


def accumulating_with_create_graph_makes_a_new_one(torch):
    x = _leaf(torch)
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    second = x.grad
    (x * x).sum().backward()
    third = x.grad
    x.grad = None
    return [second is first, first, second, third is second, third]


def a_gradient_that_was_assigned_is_accumulated_into(torch):
    x = _leaf(torch)
    mine = torch.full((2,), 10.0)
    x.grad = mine
    (x * 2).sum().backward()
    return [x.grad is mine, mine]


def a_gradient_is_laid_out_as_its_leaf(torch):
    dense = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
    permuted = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1).requires_grad_()
    gaps = torch.arange(12.0).reshape(3, 4)[:, ::2].requires_grad_()
    gaps_across = torch.arange(12.0).reshape(3, 4)[:, ::2].t().requires_grad_()
    expanded = torch.ones(3, 1).expand(3, 2).requires_grad_()
    leaves = [dense, permuted, gaps, gaps_across, expanded]
    for leaf in leaves:
        (leaf * 2).sum().backward()
    return [[leaf.stride(), leaf.grad.stride()] for leaf in leaves]


def a_gradient_keeps_its_layout_when_more_comes(torch):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    x.backward(torch.ones(3, 2).t())
    first = x.grad.stride()
    (x.t() * 2).sum().backward()
    return [first, x.grad.stride(), x.grad]


def backwards_nest_as_deeply_as_one_likes(torch):
    failing = False

    class Nest(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x * 1

        @staticmethod
        def backward(ctx, g):
            if ctx.depth:
                with torch.enable_grad():
                    x = torch.ones(2, requires_grad=True)
                    torch.autograd.backward(Nest.apply(x, ctx.depth - 1).sum())
                    g = g + x.grad
            elif failing:
                raise ValueError("at the bottom")
            return g, None

    x = _leaf(torch)
    Nest.apply(x, 700).sum().backward()
    first, failing = x.grad, True
    failed = outcome(Nest.apply(x, 700).sum().backward)
    return [first, failed, torch.is_grad_enabled()]


def a_leaf_that_became_an_intermediate(torch):
    x, w = _leaf(torch), _leaf(torch)
    y = (x * 2).sum()
    x.requires_grad_(False)
    x.mul_(w)
    return [outcome(y.backward), x, w.grad]


def callbacks_run_at_the_end(torch):
    queue = torch.autograd.Variable._execution_engine.queue_callback
    x, seen = _leaf(torch), []
    y = x * 2

    def first():
        seen.append(["first", x.grad.tolist()])
        queue(lambda: seen.append("queued by the first"))

    y.register_hook(lambda g: queue(first))
    y.register_hook(lambda g: queue(lambda: seen.append("second")))
    y.sum().backward()
    return [seen, outcome(lambda: queue(first))]


def a_callback_belongs_to_the_inner_backward(torch):
    queue = torch.autograd.Variable._execution_engine.queue_callback
    seen = []
    y, z = _leaf(torch) * 2, _leaf(torch) * 2
    inner = z.sum()
    z.register_hook(lambda g: queue(lambda: seen.append("inner")))

    def hook(g):
        queue(lambda: seen.append("outer"))
        inner.backward()
        seen.append("after the inner one")

    y.register_hook(hook)
    y.sum().backward()
    return seen


def a_callback_that_fails(torch):
    queue = torch.autograd.Variable._execution_engine.queue_callback
    x = _leaf(torch)
    y = x * 2

    def fail():
        raise ValueError("from the callback")

    y.register_hook(lambda g: queue(fail))
    failed = outcome(y.sum().backward)
    (x * 3).sum().backward()
    return [failed, x.grad, torch.is_grad_enabled()]


def sums_of_gradients_that_meet(torch):
    """In the memory of the one that arrived first, if nobody else sees that and it is no view."""
    seen, kept = [], []

    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, change):
            ctx.change = change
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return ctx.change(g * 2), None

    def keep(hold):
        return lambda g: kept.append(hold(g)) or g

    changes = (
        lambda g: g,
        lambda g: g.view(2, 2).view(4),
        lambda g: g.requires_grad_(),
        lambda g: g.requires_grad_().view(2, 2).view(4),
        keep(lambda g: g),
        keep(lambda g: g.numpy()),
        keep(lambda g: g.untyped_storage()),
        keep(lambda g: g.detach()),
        keep(lambda g: g[1:]),
    )
    for change in changes:
        leaf = _leaf(torch, 4)
        middle = leaf * 1
        middle.register_hook(lambda g: seen.append([g, g._is_view(), g._version, g.requires_grad]))
        # What is recorded last runs first.
        (middle * 3 + Returns.apply(middle, change)).sum().backward()
        seen.append([leaf.grad, [each.tolist() for each in kept[-1:]]])
    return seen


def what_is_asked_below_the_surface(torch):
    cpp, x, seen = torch._C, _leaf(torch), []
    y = x * 2
    z, apart = y * 3, x.exp()

    def hook(g):
        runs = [cpp._will_engine_execute_node(each.grad_fn) for each in (y, z, apart)]
        seen.append([cpp._current_autograd_node() is z.grad_fn, *runs])
        seen.append(cpp._current_graph_task_id() >= 0)

    y.register_hook(hook)
    (z.sum() + cpp._functions.UndefinedGrad()(apart).sum()).backward()
    asked = [cpp._current_autograd_node(), cpp._current_graph_task_id(), x.grad]
    asked.append(outcome(lambda: cpp._will_engine_execute_node(y.grad_fn)))
    cpp._set_grad_enabled(False)
    asked.append(torch.is_grad_enabled())
    cpp._set_grad_enabled(True)
    hooks = cpp._autograd
    hooks._push_saved_tensors_default_hooks(lambda t: seen.append(t.tolist()) or t, lambda t: t)
    kept = x * x
    hooks._pop_saved_tensors_default_hooks()
    with torch.autograd.graph.disable_saved_tensors_hooks("why"):
        asked.append(hooks._saved_tensors_hooks_is_enabled())
        asked.append(hooks._saved_tensors_hooks_get_disabled_error_message())
    asked += [hooks._saved_tensors_hooks_is_enabled(), cpp._is_fwd_grad_enabled()]
    return [asked, cpp._is_multithreading_enabled(), seen, torch.autograd.grad(kept.sum(), x)]


def settings_of_a_while(torch):
    seen, grad_mode = [], torch.autograd.grad_mode
    with grad_mode.set_multithreading_enabled(False):
        seen.append(torch._C._is_multithreading_enabled())
    with torch.autograd.forward_ad._set_fwd_grad_enabled(False):
        seen.append(torch._C._is_fwd_grad_enabled())
    seen.append(torch._C._is_fwd_grad_enabled())
    return [seen, outcome(lambda: grad_mode.set_multithreading_enabled(1))]


def gradients_that_nobody_needs(torch):
    """Of an index smaller than what is added, the gradient has the wrong shape."""
    a, b = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    index = torch.zeros(1, 3, dtype=torch.int64)
    added, changed = (a * 1).scatter_add(-1, index, b), a * 1
    changed[:1].scatter_add_(-1, index, b)
    grads = partial(torch.autograd.grad, retain_graph=True)
    return [
        outcome(partial(grads, z.sum(), inputs))
        for z in (added, changed)
        for inputs in (a, b, (a, b))
    ]
