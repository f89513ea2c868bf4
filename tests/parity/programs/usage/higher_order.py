"""Gradients of gradients as they are used: penalties, Newton, inner loops, implicit functions."""

from tests.parity.harness import graph, node_names, outcome
from tests.parity.usage_material import digits, gradients, settled, waves


def gradient_penalty(torch):
    critic = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    )
    x = waves(torch, 4, 2, requires_grad=True)
    scores = critic(x)
    (grad,) = torch.autograd.grad(
        scores, x, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True
    )
    penalty = ((grad.norm(2, dim=1) - 1) ** 2).mean()
    (scores.mean() + 10 * penalty).backward()
    return [digits(grad), digits(penalty), gradients(critic), digits(x.grad), grad.requires_grad]


def hessian_vector_products(torch):
    x = waves(torch, 3, requires_grad=True)
    v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)

    def f(x):
        return (x**3).sum() + x[0] * x[1].exp() * x[2]

    (grad,) = torch.autograd.grad(f(x), x, create_graph=True)
    (product,) = torch.autograd.grad(grad, x, v, retain_graph=True)
    (by_dot,) = torch.autograd.grad((grad * v).sum(), x)
    fd = torch.autograd.functional
    return [
        digits(product),
        digits(by_dot),
        digits(fd.hvp(f, x, v)),
        digits(fd.vhp(f, x, v)),
        digits(fd.hessian(f, x)),
    ]


def newton_steps(torch):
    x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    path = []
    for _ in range(6):
        y = x**4 - 3 * x**2 + x
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        (h,) = torch.autograd.grad(g, x)
        path.append(digits([x, g, h]))
        x.data -= g.detach() / h
    return [path, x._version, g.requires_grad, h.requires_grad]


def derivatives_of_every_order(torch):
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y = x**5
    seen = []
    for _ in range(7):
        if not y.requires_grad:
            break
        result = outcome(lambda y=y: torch.autograd.grad(y, x, create_graph=True)[0])
        if "raises" in result:
            seen.append(result)
            break
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        seen.append([digits(y), node_names(y.grad_fn)[:1]])
    return seen


def an_inner_loop_is_differentiated(torch):
    meta = waves(torch, 2, 2, requires_grad=True)
    lr = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    x, y = waves(torch, 4, 2), waves(torch, 4, 2, step=1.9)
    fast = meta
    for _ in range(3):
        inner = ((x @ fast - y) ** 2).mean()
        (grad,) = torch.autograd.grad(inner, fast, create_graph=True)
        fast = fast - lr * grad
    outer = ((x.flip(0) @ fast - y) ** 2).mean()
    outer.backward()
    first_order = meta.detach().clone().requires_grad_()
    step = first_order
    for _ in range(3):
        inner = ((x @ step - y) ** 2).mean()
        (grad,) = torch.autograd.grad(inner, step)
        step = step - 0.1 * grad
    ((x.flip(0) @ step - y) ** 2).mean().backward()
    return [digits(outer), digits(meta.grad), digits(lr.grad), digits(first_order.grad)]


def differentiating_through_sgd_is_cut(torch):
    w = waves(torch, 2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    loss = (w**2).sum()
    loss.backward(create_graph=True)
    seen = [w.grad.requires_grad, w.grad.grad_fn.name()]
    optimizer.step()
    after = outcome(lambda: w.grad.sum().backward())
    optimizer.zero_grad()
    return [*seen, digits(w), w.is_leaf, after, w.grad]


def implicit_differentiation(torch):
    class Root(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            y = torch.ones_like(a)
            for _ in range(30):
                y = y - (y * y - a) / (2 * y)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, grad):
            (y,) = ctx.saved_tensors
            return grad / (2 * y)

    a = torch.tensor([2.0, 9.0], dtype=torch.float64, requires_grad=True)
    y = Root.apply(a)
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), a)
    return [
        digits(y),
        digits(g),
        digits(h),
        torch.autograd.gradcheck(Root.apply, (a,)),
        graph(g.grad_fn),
    ]


def a_fixed_point_with_a_hook(torch):
    w = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    x = torch.tensor(1.0, dtype=torch.float64)
    with torch.no_grad():
        z = torch.zeros((), dtype=torch.float64)
        for _ in range(60):
            z = torch.tanh(w * z + x)
    z = torch.tanh(w * z + x)
    z0 = z.clone().detach().requires_grad_()
    f0 = torch.tanh(w * z0 + x)

    def hook(grad):
        g = grad
        for _ in range(60):
            g = torch.autograd.grad(f0, z0, g, retain_graph=True)[0] + grad
        return g

    z.register_hook(hook)
    z.backward()
    return [digits(z), digits(w.grad)]


def jacobian_of_a_network(torch):
    model = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    )
    x = waves(torch, 3, requires_grad=True)
    out = model(x)
    rows = [torch.autograd.grad(each, x, retain_graph=True)[0] for each in out]
    whole = torch.autograd.functional.jacobian(model, x)
    again = torch.autograd.functional.jacobian(model, x, create_graph=True)
    return [
        digits(torch.stack(rows)),
        digits(whole),
        whole.requires_grad,
        again.requires_grad,
        gradients(model),
    ]


def directional_derivatives_forward(torch):
    fw = torch.autograd.forward_ad
    model = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    )
    x, v = waves(torch, 2, 3), waves(torch, 2, 3, step=1.7)
    with fw.dual_level():
        primal, tangent = fw.unpack_dual(model(fw.make_dual(x, v)))
    with fw.dual_level():
        weights = {
            name: fw.make_dual(p.detach(), torch.ones_like(p))
            for name, p in model.named_parameters()
        }
        hidden = torch.tanh(torch.nn.functional.linear(x, weights["0.weight"], weights["0.bias"]))
        out = torch.nn.functional.linear(hidden, weights["2.weight"], weights["2.bias"])
        by_weights = fw.unpack_dual(out).tangent
    return [digits(primal), digits(tangent), digits(by_weights), tangent.requires_grad]


def forward_over_reverse(torch):
    fw = torch.autograd.forward_ad
    x = waves(torch, 3)
    with fw.dual_level():
        dual = fw.make_dual(x.clone().requires_grad_(), torch.ones_like(x))
        (g,) = torch.autograd.grad((dual**3).sum(), dual, create_graph=True)
        return [digits(fw.unpack_dual(g).tangent), digits(g)]


def finite_differences_agree(torch):
    model = settled(torch, torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Sigmoid()))
    x = waves(torch, 2, 2, requires_grad=True)
    model(x).sum().backward()
    eps, numeric = 1e-6, torch.zeros_like(x)
    with torch.no_grad():
        for i in range(2):
            for j in range(2):
                moved = x.clone()
                moved[i, j] += eps
                up = model(moved).sum()
                moved[i, j] -= 2 * eps
                numeric[i, j] = (up - model(moved).sum()) / (2 * eps)
    ok = torch.allclose(numeric, x.grad, atol=1e-6)
    return [
        ok,
        torch.autograd.gradcheck(model, (x,)),
        torch.autograd.gradgradcheck(model, (x,)),
        digits(x.grad),
    ]


def per_sample_gradients_by_a_loop(torch):
    model = settled(torch, torch.nn.Linear(2, 1))
    x = waves(torch, 3, 2)
    rows = []
    for sample in x:
        loss = model(sample).pow(2).sum()
        rows.append(torch.autograd.grad(loss, list(model.parameters())))
    stacked = [torch.stack(shards) for shards in zip(*rows, strict=True)]
    return [digits(stacked), [each.requires_grad for each in stacked], gradients(model)]


def physics_informed_loss(torch):
    net = settled(
        torch, torch.nn.Sequential(torch.nn.Linear(1, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    )
    t = torch.linspace(0, 1, 5, dtype=torch.float64).view(-1, 1).requires_grad_()
    u = net(t)
    (du,) = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)
    (ddu,) = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)
    loss = (ddu + u).pow(2).mean() + (u[0] - 1).pow(2).squeeze()
    loss.backward()
    return [digits(loss), digits(ddu), gradients(net), digits(t.grad)]


def influence_of_unused_inputs(torch):
    x, y = waves(torch, 2, requires_grad=True), waves(torch, 2, requires_grad=True)
    z = (x * 2).sum()
    return [
        outcome(lambda: torch.autograd.grad(z, [x, y], retain_graph=True)),
        digits(torch.autograd.grad(z, [x, y], retain_graph=True, allow_unused=True)),
        digits(torch.autograd.grad(z, [x, y], retain_graph=True, materialize_grads=True)),
        outcome(lambda: torch.autograd.grad(x.detach().sum(), x)),
        outcome(lambda: torch.autograd.grad(x * 2, x)),
    ]


def create_graph_warns_with_backward(torch):
    x = waves(torch, 2, requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    first = x.grad
    x.grad = None
    first.sum().backward()
    return [digits(first), first.requires_grad, digits(x.grad), first.grad_fn.name()]
