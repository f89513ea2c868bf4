"""Random numbers in place and from tensors: ranges, nodes, zero gradients, errors."""

from tests.parity.harness import outcome, short_name

_FILLS = {
    "bernoulli_": lambda y, torch: y.bernoulli_(),
    "bernoulli_ of a number": lambda y, torch: y.bernoulli_(0.3),
    "bernoulli_ of a tensor": lambda y, torch: y.bernoulli_(torch.full((3,), 0.5)),
    "uniform_": lambda y, torch: y.uniform_(2, 3),
    "normal_": lambda y, torch: y.normal_(1, 0.1),
    "random_": lambda y, torch: y.random_(),
    "random_ below": lambda y, torch: y.random_(5),
    "random_ between": lambda y, torch: y.random_(2, 5),
    "exponential_": lambda y, torch: y.exponential_(2),
}


def on_a_result(torch):
    seen = {}
    for name, fill in _FILLS.items():
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 1
        returned = fill(y, torch)
        edges = [node and short_name(node) for node, _ in y.grad_fn.next_functions]
        seen[name] = [returned is y, y._version, short_name(y.grad_fn), edges]
        y.sum().backward()
        seen[name].append(x.grad)
    return seen


def on_a_leaf(torch):
    seen = {}
    for name, fill in _FILLS.items():
        x = torch.ones(2, 3, requires_grad=True)
        refused = outcome(lambda f=fill, x=x: f(x, torch))
        with torch.no_grad():
            fill(x, torch)
        seen[name] = [refused, x._version, x.is_leaf]
    return seen


def the_same_seed_gives_the_same(torch):
    seen = {}
    for name, fill in _FILLS.items():
        values = []
        for _ in range(2):
            torch.manual_seed(7)
            values.append(fill(torch.zeros(2, 3), torch))
        seen[name] = torch.equal(*values)
    return seen


def ranges(torch):
    torch.manual_seed(0)
    y = torch.zeros(1000)
    return [
        bool(((y.uniform_(2, 3) >= 2) & (y < 3)).all()),
        sorted(set(y.bernoulli_(0.5).tolist())),
        sorted(set(y.random_(3).tolist())),
        sorted(set(y.random_(-2, 2).tolist())),
        bool((y.exponential_() >= 0).all()),
        abs(y.normal_(5, 0.5).mean().item() - 5) < 0.1,
        y.bernoulli_(0).sum().item(),
        y.bernoulli_(1).sum().item(),
        0.2 < y.bernoulli_(0.3).mean().item() < 0.4,
    ]


def dtypes(torch):
    seen = {}
    for dtype in (torch.float16, torch.float64, torch.int64, torch.uint8, torch.bool):
        for name, fill in _FILLS.items():
            y = torch.zeros(3, dtype=dtype)

            def filled(fill=fill, y=y):
                return [str(fill(y, torch).dtype), y._version]

            if dtype not in (torch.uint8, torch.bool) or "random_ " not in name:
                seen[f"{dtype} {name}"] = outcome(filled)
    return seen


def refusals(torch):
    y = torch.zeros(2)
    return [
        outcome(lambda: y.bernoulli_(2.0)),
        outcome(lambda: y.bernoulli_(-0.5)),
        outcome(lambda: y.bernoulli_(torch.tensor([0.5, 2.0]))),
        outcome(lambda: y.uniform_(3, 1)),
        outcome(lambda: y.normal_(0, -1)),
        outcome(lambda: y.random_(5, 2)),
        outcome(lambda: y.exponential_(-1)),
        outcome(lambda: torch.bernoulli(torch.tensor([2.0]))),
        outcome(lambda: torch.bernoulli(torch.tensor([1]))),
        outcome(lambda: torch.normal(y, -1.0)),
        outcome(lambda: torch.normal(y, y - 1)),
        outcome(lambda: torch.normal(0.0, 1.0, 2)),
        outcome(lambda: torch.normal(0.0, -1.0, (2,))),
        y._version,
    ]


def drawn_from_tensors(torch):
    p = torch.tensor([0.0, 1.0], requires_grad=True)
    mean = torch.tensor([[1.0], [2.0]], requires_grad=True)
    std = torch.tensor([0.0, 0.0], requires_grad=True)
    seen = []
    for draw in (
        lambda: torch.bernoulli(p),
        lambda: p.bernoulli(),
        lambda: torch.normal(mean, std),
        lambda: torch.normal(mean, 0.0),
        lambda: torch.normal(3.0, std),
        lambda: torch.normal(1.0, 0.0, (2, 2)),
    ):
        p.grad = mean.grad = std.grad = None
        drawn = draw()
        seen.append(drawn)
        if drawn.requires_grad:
            drawn.sum().backward()
            seen.append([p.grad, mean.grad, std.grad])
    return seen


def by_a_generator(torch):
    """Each draws from the generator that it is given, and leaves the default one alone."""
    fills = {
        "uniform_": lambda g: torch.zeros(3).uniform_(2, 3, generator=g),
        "normal_": lambda g: torch.zeros(3).normal_(1, 2, generator=g),
        "random_": lambda g: torch.zeros(3).random_(generator=g),
        "random_ below": lambda g: torch.zeros(3, dtype=torch.int64).random_(9, generator=g),
        "bernoulli_": lambda g: torch.zeros(9).bernoulli_(0.3, generator=g),
        "bernoulli_ of a tensor": lambda g: torch.zeros(9).bernoulli_(p, generator=g),
        "bernoulli": lambda g: torch.bernoulli(p, generator=g),
        "bernoulli of a number": lambda g: torch.bernoulli(p, 0.3, generator=g),
        "normal": lambda g: torch.normal(0.0, 1.0, (3,), generator=g),
        "normal around": lambda g: torch.normal(p, 1.0, generator=g),
        "uniform": lambda g: torch.nn.init.uniform_(torch.zeros(3), generator=g),
        "trunc_normal_": lambda g: torch.nn.init.trunc_normal_(torch.zeros(3), generator=g),
        "xavier_normal_": lambda g: torch.nn.init.xavier_normal_(torch.zeros(2, 3), generator=g),
        "kaiming_uniform_": lambda g: torch.nn.init.kaiming_uniform_(
            torch.zeros(2, 3), generator=g
        ),
    }
    p = torch.full((9,), 0.5)
    seen = {}
    for name, fill in fills.items():
        torch.manual_seed(1)
        generator = torch.Generator()
        generator.manual_seed(5)
        drawn = fill(generator)
        seen[name] = [(drawn * 1000).round().tolist(), torch.rand(1)]
    with torch.random.fork_rng():
        torch.manual_seed(3)
    seen["default generator"] = [torch.initial_seed(), torch.rand(1)]
    return seen


def draws_with_bounds_that_are_rounded(torch):
    generator, seen = torch.Generator().manual_seed(3), []
    for low, high in (
        (2049, 5001),
        (4099, 5001),
        (2051, 2060),
        (-4099, 4099),
        (2050, 2052),
        (65503, 65505),
        (-70000, 0),
        (70000, 80000),
    ):
        drawn = torch.zeros(4, dtype=torch.float16)
        seen.append(
            outcome(lambda: drawn.random_(low, high, generator=generator))  # noqa: B023
        )
    return seen


def numbers_drawn_with_probabilities_in_the_same_memory(torch):
    x = torch.tensor([0.0, 1.0, 1.0, 0.0])
    return [
        outcome(lambda: x.bernoulli_(x)),
        outcome(lambda: x[1:].bernoulli_(x[:-1])),
        outcome(lambda: x.bernoulli_(x[:1].expand(4))),
    ]


def of_a_lone_half(torch):
    torch.manual_seed(0)
    x = torch.zeros((), dtype=torch.float16)
    drawn = [
        x.clone().uniform_(1, 1),
        x.clone().uniform_(0, 3),
        torch.rand((), dtype=torch.float16),
    ]
    return [*drawn, x.clone().normal_(), x.clone().bernoulli_(1.0)]
