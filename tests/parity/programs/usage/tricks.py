"""Tricks with the graph: estimators, reversal, clipping, masks, stopping gradients, modes."""

import threading

from tests.parity.harness import graph, node_names, outcome, state
from tests.parity.usage_material import digits, gradients, settled, waves


def straight_through_estimator(torch):
    class Binarise(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sign()

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * (x.abs() <= 1)

    x = torch.tensor([-2.0, -0.5, 0.0, 0.5, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    y = Binarise.apply(x)
    (y * w).sum().backward()
    by_function, x.grad = x.grad, None
    z = x + (x.round() - x).detach()
    (z * w).sum().backward()
    return [y, by_function, z, x.grad, graph(y.grad_fn), graph(z.grad_fn), str(y.grad_fn)[:28]]


def rounding_has_no_gradient(torch):
    x = torch.tensor([0.4, 1.6], requires_grad=True)
    seen = []
    for name in ("round", "floor", "ceil", "sign", "trunc"):
        x.grad = None
        y = getattr(torch, name)(x)
        y.sum().backward()
        seen.append([name, y, x.grad, graph(y.grad_fn)])
    return seen


def gradient_reversal(torch):
    class Reverse(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, alpha):
            ctx.alpha = alpha
            return x.view_as(x)

        @staticmethod
        def backward(ctx, grad):
            return grad.neg() * ctx.alpha, None

    features = settled(torch, torch.nn.Linear(2, 2))
    labels, domain = settled(torch, torch.nn.Linear(2, 1)), settled(torch, torch.nn.Linear(2, 1))
    x = waves(torch, 3, 2)
    f = features(x)
    reversed_features = Reverse.apply(f, 0.5)
    (labels(f).sum() + domain(reversed_features).sum()).backward()
    return [
        gradients(features),
        gradients(domain),
        reversed_features._is_view(),
        graph(reversed_features.grad_fn),
    ]


def clipping_by_hooks(torch):
    model = settled(torch, torch.nn.Linear(2, 2))
    handles = [p.register_hook(lambda grad: grad.clamp(-0.5, 0.5)) for p in model.parameters()]
    x = waves(torch, 3, 2)
    (model(x) * 5).sum().backward()
    clipped = gradients(model)
    for handle in handles:
        handle.remove()
    model.zero_grad()
    (model(x) * 5).sum().backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    shrunk = gradients(model)
    torch.nn.utils.clip_grad_value_(model.parameters(), 0.2)
    return [clipped, digits(norm), shrunk, gradients(model)]


def hooks_that_look_and_scale(torch):
    seen = []
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 3
    h.retain_grad()
    h.register_hook(lambda grad: seen.append(["first", grad]))
    h.register_hook(lambda grad: grad * 10)
    h.register_hook(lambda grad: seen.append(["third", grad]))
    x.register_post_accumulate_grad_hook(lambda p: seen.append(["done", p.grad]))
    (h**2).sum().backward()
    bad = (x * 2).sum()
    handle = x.register_hook(lambda grad: grad[0])
    failed = outcome(bad.backward)
    handle.remove()
    return [seen, h.grad, x.grad, failed, outcome(lambda: x.detach().register_hook(print))]


def an_optimizer_in_each_hook(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in model.parameters()}

    def step(parameter):
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(step)
    for _ in range(2):
        model(waves(torch, 3, 2)).sum().backward()
    return [digits(model.state_dict()), gradients(model)]


def stopping_the_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x.detach()
    with torch.no_grad():
        scale = x.exp()
    z = y * scale + x.data
    z.sum().backward()
    return [z, x.grad, scale, graph(z.grad_fn), x.data.requires_grad, scale.is_leaf]


def masks_and_where(torch):
    x = torch.tensor([-1.0, 0.0, 4.0], requires_grad=True)
    bad = torch.where(x > 0, x.sqrt(), torch.zeros_like(x))
    bad.sum().backward()
    poisoned, x.grad = x.grad, None
    safe = torch.where(x > 0, torch.where(x > 0, x, torch.ones_like(x)).sqrt(), 0.0)
    safe.sum().backward()
    healthy, x.grad = x.grad, None
    x[x > 0].sum().backward()
    picked, x.grad = x.grad, None
    (x * (x > 0)).sum().backward()
    return [bad, poisoned, safe, healthy, picked, x.grad, graph(safe.grad_fn)]


def assignment_builds_the_graph(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    out = torch.zeros(2, 3)
    for row in range(2):
        out[row] = x * (row + 1)
    out[:, 0] = 7.0
    out[out > 5] *= 2
    out.sum().backward()
    return [state(out), x.grad, graph(out.grad_fn), out.is_leaf]


def winners_take_the_gradient(torch):
    x = torch.tensor([[3.0, 1.0, 3.0], [2.0, 5.0, 4.0]], requires_grad=True)
    seen = []
    for name, call in (
        ("max", lambda: x.max()),
        ("amax", lambda: x.amax(1)),
        ("max of rows", lambda: x.max(1).values),
        ("sort", lambda: x.sort(1, descending=True)[0] * torch.tensor([1.0, 10.0, 100.0])),
        ("topk", lambda: x.topk(2).values),
        ("argmax", lambda: x[torch.arange(2), x.argmax(1)]),
        ("median", lambda: x.median()),
        ("min", lambda: x.min(0)[0]),
    ):
        x.grad = None
        result = outcome(
            lambda call=call: call().sum().backward() or [call(), x.grad, graph(call().grad_fn)]
        )
        seen.append([name, result])
    return seen


def running_products(torch):
    x = torch.tensor([1.5, 0.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    seen = []
    for name, call in (
        ("cumsum", lambda: x.cumsum(0).pow(2)),
        ("prod", lambda: x.prod()),
        ("cumprod", lambda: x.cumprod(0)),
        ("discounted", lambda: (x.flip(0).cumsum(0) * 0.9).flip(0)),
        ("logsumexp", lambda: x.logsumexp(0)),
    ):
        x.grad = None
        seen.append(
            [
                name,
                outcome(
                    lambda call=call: call().sum().backward() or [digits(call()), digits(x.grad)]
                ),
            ]
        )
    return seen


def cross_entropy_by_hand(torch):
    logits = waves(torch, 4, 3, requires_grad=True)
    labels = torch.tensor([0, 2, 1, 1])
    f = torch.nn.functional
    log_p = logits - logits.logsumexp(1, keepdim=True)
    ways = [
        -log_p[torch.arange(4), labels].mean(),
        f.nll_loss(f.log_softmax(logits, dim=1), labels),
        f.cross_entropy(logits, labels),
        -(torch.softmax(logits, 1).log().gather(1, labels[:, None])).mean(),
        -(f.one_hot(labels, 3) * torch.log_softmax(logits, 1)).sum(1).mean(),
    ]
    seen = []
    for loss in ways:
        (grad,) = torch.autograd.grad(loss, logits)
        seen.append([digits(loss), digits(grad), node_names(loss.grad_fn)])
    return seen


def policy_gradient_by_hand(torch):
    theta = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    rewards = torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64)
    for action in (0, 2, 2, 1):
        log_p = torch.log_softmax(theta, 0)
        loss = -log_p[action] * (rewards[action] - rewards.mean())
        (g,) = torch.autograd.grad(loss, theta)
        with torch.no_grad():
            theta -= 0.5 * g
    return [digits(theta), theta._version, digits(torch.softmax(theta, 0))]


def reparameterised_gaussian(torch):
    mu = torch.tensor([0.5, -0.5], dtype=torch.float64, requires_grad=True)
    log_var = torch.tensor([0.1, -0.3], dtype=torch.float64, requires_grad=True)
    eps = waves(torch, 5, 2)
    z = mu + (0.5 * log_var).exp() * eps
    kl = -0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    loss = (z**2).mean() + kl
    loss.backward()
    return [digits(loss), digits(mu.grad), digits(log_var.grad), graph(kl.grad_fn)]


def generators_without_gradients(torch):
    x = torch.tensor([1.0], requires_grad=True)

    @torch.no_grad()
    def batches():
        for scale in (1, 2):
            yield torch.is_grad_enabled(), (x * scale).requires_grad

    seen = []
    for inside in batches():
        seen.append([inside, torch.is_grad_enabled(), (x * 1).requires_grad])

    def plain():
        with torch.no_grad():
            yield (x * 2).requires_grad
            yield (x * 3).requires_grad

    for inside in plain():
        seen.append([inside, torch.is_grad_enabled()])
        break
    return [seen, torch.is_grad_enabled()]


def every_thread_its_mode(torch):
    seen = {}

    def work(name, enabled):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(enabled)
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        seen[name] = [before, y.requires_grad, outcome(lambda: y.sum().backward() or x.grad)]

    with torch.no_grad():
        for name, enabled in (("on", True), ("off", False)):
            thread = threading.Thread(target=work, args=(name, enabled))
            thread.start()
            thread.join()
        inside = torch.is_grad_enabled()
    return [seen, inside, torch.is_grad_enabled()]


def threads_share_a_model(torch):
    w = torch.ones(2, requires_grad=True)

    def work():
        for _ in range(5):
            (w * 2).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
        thread.join()
    return w.grad


def evaluation_in_inference_mode(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    x = waves(torch, 2, 2)
    with torch.inference_mode():
        out = model(x)
    with torch.no_grad():
        same = model(x)
    return [
        digits(out),
        out.is_inference(),
        out.requires_grad,
        same.is_inference(),
        outcome(lambda: model(out.expand(2, 2)).sum().backward()),
        outcome(lambda: out.add_(1)),
        outcome(lambda: (out * same).requires_grad),
        outcome(lambda: out.requires_grad_()),
    ]
