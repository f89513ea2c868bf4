"""Hooks that run when a gradient has been accumulated into a leaf."""

from tests.parity.function_material import returning
from tests.parity.harness import outcome


def _leaf(torch):
    return torch.ones(2, requires_grad=True)


def they_run_after_accumulation_with_the_leaf(torch):
    x, seen = _leaf(torch), []
    x.register_post_accumulate_grad_hook(lambda t: seen.append([t is x, t.grad.tolist()]))
    x.register_hook(lambda g: seen.append("tensor hook"))
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    return seen


def they_run_once_a_backward(torch):
    x, seen = _leaf(torch), []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.tolist()))
    (x * 2 + x * 3).sum().backward()
    return seen


def autograd_grad_does_not_call_them(torch):
    x, seen = _leaf(torch), []
    x.register_post_accumulate_grad_hook(lambda t: seen.append("called"))
    torch.autograd.grad((x * 2).sum(), x)
    (x * 2).sum().backward(inputs=[x])
    return seen


def only_leaves_can_have_them(torch):
    x = _leaf(torch)
    return [
        outcome(lambda: (x * 2).register_post_accumulate_grad_hook(print)),
        outcome(lambda: torch.ones(2).register_post_accumulate_grad_hook(print)),
        outcome(lambda: x.detach().register_post_accumulate_grad_hook(print)),
    ]


def they_return_nothing(torch):
    results = []
    for value in (3, "x", (), torch.ones(2), torch.ones(3), torch.ones(2).double(), None):
        x = _leaf(torch)
        x.register_post_accumulate_grad_hook(lambda t, value=value: value)
        results.append([outcome((x * 2).sum().backward), x.grad])
    x.register_post_accumulate_grad_hook(lambda t: t)
    return [results, outcome((x * 2).sum().backward)]


def they_may_let_the_gradient_go(torch):
    x = _leaf(torch)

    def step(t):
        with torch.no_grad():
            t.sub_(t.grad)
        t.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * 2).sum().backward()
    first = x.clone()
    (x * 2).sum().backward()
    return [first, x, x.grad]


def they_can_be_removed(torch):
    x, seen = _leaf(torch), []
    handle = x.register_post_accumulate_grad_hook(lambda t: seen.append("first"))
    x.register_post_accumulate_grad_hook(lambda t: handle.remove() or seen.append("second"))
    x.sum().backward()
    x.sum().backward()
    with x.register_post_accumulate_grad_hook(lambda t: seen.append("third")):
        x.sum().backward()
    x.sum().backward()
    return seen


def they_run_between_the_hooks_of_the_accumulator(torch):
    x, seen = _leaf(torch), []
    y = x * 2
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_hook(lambda gi, go: seen.append(["post", gi, go, x.grad]))
    accumulator.register_prehook(lambda go: seen.append(["pre", go]))
    x.register_hook(lambda g: seen.append("tensor"))
    x.register_post_accumulate_grad_hook(lambda t: seen.append("accumulated"))
    y.sum().backward()
    return seen


def they_see_the_mode_of_backward(torch):
    x, seen = _leaf(torch), []
    x.register_post_accumulate_grad_hook(
        lambda t: seen.append([torch.is_grad_enabled(), t.grad.requires_grad])
    )
    (x * x).sum().backward()
    x.grad = None
    (x * x).sum().backward(create_graph=True)
    x.grad = None
    return seen


def an_optimizer_can_step_inside_backward(torch):
    x, w = _leaf(torch), _leaf(torch)
    optimizers = {leaf: torch.optim.SGD([leaf], lr=0.5) for leaf in (x, w)}

    def step(leaf):
        optimizers[leaf].step()
        optimizers[leaf].zero_grad()

    for leaf in optimizers:
        leaf.register_post_accumulate_grad_hook(step)
    for _ in range(2):
        (x * 2 + w * 3).sum().backward()
    return [x, w, x.grad, w.grad]


def hooks_run_though_nothing_was_accumulated(torch):
    nothing = returning(torch, lambda ctx, g: None)
    x, told = torch.ones(2, requires_grad=True), []
    x.register_post_accumulate_grad_hook(lambda leaf: told.append([leaf.requires_grad, leaf.grad]))
    nothing.apply(x).sum().backward()
    product = x * 3
    x.requires_grad_(False)
    product.sum().backward()
    return told
