"""Functions that choose: what was not chosen gets 0, and not -0, whatever gradient arrives."""

_FUNCTIONS = {
    "relu": lambda torch, x: x.relu(),
    "clamp": lambda torch, x: x.clamp(0, 1),
    "clamp from below": lambda torch, x: x.clamp(min=0.5),
    "clamp crossed": lambda torch, x: x.clamp(1, 0),
    "clamp of tensors": lambda torch, x: x.clamp(torch.zeros(4), torch.ones(4)),
    "clamp_min of a tensor": lambda torch, x: x.clamp_min(torch.zeros(4)),
    "clamp_max of a tensor": lambda torch, x: x.clamp_max(torch.zeros(4)),
    "maximum": lambda torch, x: x.maximum(torch.zeros(4)),
    "minimum": lambda torch, x: x.minimum(torch.ones(4)),
    "maximum of itself": lambda torch, x: x.maximum(x),
    "fmax": lambda torch, x: x.fmax(torch.zeros(4)),
    "fmin": lambda torch, x: x.fmin(torch.zeros(4)),
    "max": lambda torch, x: x.max(),
    "min": lambda torch, x: x.min(),
    "median": lambda torch, x: x.median(),
    "amax": lambda torch, x: x.amax(0),
    "amin": lambda torch, x: x.amin(0),
    "hardtanh": lambda torch, x: torch.nn.functional.hardtanh(x),
    "relu6": lambda torch, x: torch.nn.functional.relu6(x),
    "elu": lambda torch, x: torch.nn.functional.elu(x),
    "zeroth power": lambda torch, x: x**0,
    "power of zero": lambda torch, x: 0.0**x,
    "std": lambda torch, x: x.std(),
    "largest norm": lambda torch, x: x.norm(float("inf")),
    "count": lambda torch, x: x.norm(0),
}
_SPECIAL = [float("nan"), 0.0, 2.0, -1.0]


def _backward(torch, numbers, gradient):
    found = {}
    for name, function in _FUNCTIONS.items():
        x = torch.tensor(numbers, requires_grad=True)
        z = function(torch, x)
        grads = torch.autograd.grad(z, x, torch.full_like(z, gradient), allow_unused=True)
        found[name] = str(grads[0])
    return found


def of_a_negative_gradient(torch):
    return _backward(torch, [-1.0, 0.0, 2.0, 2.0], -3.0)


def of_an_infinite_gradient(torch):
    return _backward(torch, [-1.0, 0.0, 2.0, 2.0], float("inf"))


def of_a_gradient_that_is_no_number(torch):
    return _backward(torch, [-1.0, 0.0, 2.0, 2.0], float("nan"))


def beside_what_is_no_number(torch):
    return _backward(torch, _SPECIAL, 1.0)


def of_a_root_behind_a_relu(torch):
    x = torch.tensor([-1.0, 0.0, 4.0], requires_grad=True)
    x.relu().sqrt().sum().backward()
    return str(x.grad)


def in_memory_that_arrives(torch):
    x = torch.linspace(-1, 1, 4096).requires_grad_()
    z = (x * 1).relu()
    z.backward(torch.linspace(-5, 5, 4096) / torch.zeros(4096))
    return x.grad.isnan().sum(), torch.signbit(x.grad).sum(), x.grad[:3], x.grad[-3:]


def in_every_precision(torch):
    found = []
    for kind in (torch.float16, torch.float32, torch.float64):
        x = torch.tensor([-1.0, 3.0], dtype=kind, requires_grad=True)
        x.relu().backward(torch.tensor([-2.0, -2.0], dtype=kind))
        found.append(str(x.grad))
    return found


def forward(torch):
    found = {}
    with torch.autograd.forward_ad.dual_level():
        for name, function in _FUNCTIONS.items():
            for numbers in ([-1.0, 0.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0], _SPECIAL):
                tangent = torch.tensor([-1.0, 2.0, -3.0, 4.0])
                x = torch.autograd.forward_ad.make_dual(torch.tensor(numbers), tangent)
                _, made = torch.autograd.forward_ad.unpack_dual(function(torch, x))
                found[f"{name} at {numbers}"] = str(made)
    return found


def twice(torch):
    found = []
    for name in ("relu", "clamp", "clamp of tensors", "maximum", "max", "median", "fmin"):
        x = torch.tensor([-1.0, 0.0, 2.0, 2.0], requires_grad=True)
        z = _FUNCTIONS[name](torch, x)
        g = torch.full_like(z, -3.0, requires_grad=True)
        (slope,) = torch.autograd.grad(z, x, g, create_graph=True)
        found.append([name, slope, torch.autograd.grad(slope.sum(), g)])
    return found
