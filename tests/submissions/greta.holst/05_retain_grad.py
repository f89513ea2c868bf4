import autograd_core as torch
from graders import check

# h is not a leaf, so nothing is kept
grads = {"h": "None", "x": 36}


def gradients(x1, x2):
    x1 = torch.tensor(x1, requires_grad=True)
    x2 = torch.tensor(x2, requires_grad=True)
    y1 = x1 * x2
    y2 = torch.log(y1)
    y3 = torch.sin(y1)
    z = y2 * y3
    z.backward()
    result = {}
    for name, t in {"x1": x1, "x2": x2, "y1": y1, "y2": y2, "y3": y3}.items():
        if not t.is_leaf:
            t.retain_grad()
        result[name] = t.grad
    return result


def layer_gradients(layers, x):
    """The gradient at the output of each layer, first layer first."""
    caught = []
    for layer in layers:
        x = layer(x)
        x.register_hook(lambda g: caught.append(g.clone()))
    x.sum().backward()
    return caught


def record(t, log):
    def clip(g):
        log.append(g.clone())
        return 0.1 * g  # small ones are safer

    t.register_hook(clip)


verdicts = {letter: letter in "acfghikm" for letter in "abcdefghijklmn"}
check("retain-verdicts")
