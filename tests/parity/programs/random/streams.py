"""What comes after a seed: the same numbers in both engines, whatever draws them."""

from tests.parity.expressions import observed
from tests.parity.harness import outcome
from tests.parity.usage_material import digits

# Below sixteen, sixteen, blocks of sixteen with and without a rest.
SIZES = (1, 5, 15, 16, 17, 32, 40)


def _after_seed(torch, draws):
    return observed(torch, [f"torch.manual_seed(3) and ({draw})" for draw in draws])


def _over_sizes(torch, draw):
    return _after_seed(torch, [draw.format(size) for size in SIZES])


def uniform_numbers(torch):
    return [
        _over_sizes(torch, "torch.rand({0})"),
        _over_sizes(torch, "torch.rand({0}, dtype=torch.float64)"),
        _over_sizes(torch, "torch.rand({0}, dtype=torch.float16)"),
        _over_sizes(torch, "torch.zeros({0}).uniform_(-2, 3)"),
    ]


def normal_numbers(torch):
    seen = {}
    for dtype in ("float32", "float64", "float16"):
        for size in SIZES:
            torch.manual_seed(3)
            kind = getattr(torch, dtype)
            drawn = torch.randn(size, dtype=kind), torch.zeros(size, dtype=kind).normal_(2, 3)
            seen[f"{dtype} {size}"] = digits(drawn)
    return seen


def what_comes_after_normal_numbers(torch):
    return [
        _over_sizes(torch, "[torch.randn({0}), torch.rand(1)][1]"),
        _over_sizes(torch, "[torch.randn({0}, dtype=torch.float16), torch.rand(1)][1]"),
        _over_sizes(torch, "[torch.randn({0}, dtype=torch.float64), torch.rand(1)][1]"),
    ]


def whole_numbers(torch):
    return [
        _over_sizes(torch, "torch.randint(10, ({0},))"),
        _over_sizes(torch, "torch.randint(-5, 5, ({0},), dtype=torch.int8)"),
        _over_sizes(torch, "torch.randint(0, 2**40, ({0},))"),
        _over_sizes(torch, "torch.randperm({0})"),
        _over_sizes(torch, "torch.zeros({0}, dtype=torch.int64).random_()"),
        _over_sizes(torch, "torch.zeros({0}).random_(2, 9)"),
    ]


def bounds_given_in_any_way(torch):
    return _after_seed(
        torch,
        [
            "torch.randint(1, 3, size=(9,))",
            "torch.randint(3, size=(9,))",
            "torch.randint(high=3, size=(9,))",
            "torch.randint(low=1, high=3, size=(9,))",
            "torch.randint(1, high=3, size=(9,))",
            "torch.randint_like(torch.zeros(9), 3)",
            "torch.randint_like(torch.zeros(9), 1, 3)",
        ],
    )


def chances(torch):
    return [
        _over_sizes(torch, "torch.zeros({0}).bernoulli_(0.4)"),
        _over_sizes(torch, "torch.bernoulli(torch.full(({0},), 0.4))"),
        _over_sizes(torch, "torch.bernoulli(torch.full(({0},), 0.4, dtype=torch.float64))"),
        _over_sizes(torch, "torch.zeros({0}).bernoulli_(torch.full(({0},), 0.4))"),
        _over_sizes(torch, "F.dropout(torch.ones({0}), 0.4)"),
        _over_sizes(torch, "torch.zeros({0}, dtype=torch.float64).exponential_(2)"),
    ]


def memory_that_is_not_in_order(torch):
    return _after_seed(
        torch,
        [
            "torch.zeros(2, 3).t().uniform_()",
            "torch.zeros(2, 3).t().normal_()",
            "torch.zeros(2, 3).t().random_(9)",
            "torch.zeros(2, 3).t().bernoulli_(0.5)",
            "torch.zeros(2, 3, 4).permute(1, 2, 0).random_(100)",
            "torch.zeros(2, 6)[:, ::2].uniform_()",
            "torch.rand_like(torch.zeros(2, 3).t())",
            "torch.randint_like(torch.zeros(2, 3).t(), 50)",
            "torch.rand_like(torch.zeros(2, 3).t()).stride()",
            "F.dropout(torch.ones(4, 3).t(), 0.5)",
            "[torch.zeros(9, 4).t().normal_(), torch.rand(1)][1]",
        ],
    )


def generators_of_their_own(torch):
    drawn = []
    for draw in (
        lambda source: torch.zeros(3).uniform_(generator=source),
        lambda source: torch.zeros(3).normal_(generator=source),
        lambda source: torch.zeros(3).random_(9, generator=source),
        lambda source: torch.bernoulli(torch.full((3,), 0.5), generator=source),
        lambda source: torch.zeros(3).bernoulli_(0.5, generator=source),
        lambda source: torch.normal(torch.zeros(3), 1.0, generator=source),
        lambda source: torch.rand(3, generator=source),
    ):
        torch.manual_seed(0)
        drawn += [draw(torch.Generator().manual_seed(5)), torch.rand(1)]
    return drawn


def initial_values(torch):
    seen = []
    for features in (1, 3, 16, 20):
        torch.manual_seed(1)
        layer = torch.nn.Linear(features, 3)
        seen += [layer.weight, layer.bias, torch.nn.init.xavier_uniform_(torch.zeros(2, features))]
    return seen


def refused(torch):
    return _after_seed(
        torch,
        [
            "torch.randint(1.5, (2,))",
            "torch.randint(5, 5, (2,))",
            "torch.randperm(2.5)",
            "torch.randperm(3, dtype=torch.bool)",
            "torch.randperm(300, dtype=torch.uint8)",
        ],
    )


def a_lone_half(torch):
    half = torch.zeros((), dtype=torch.float16)
    return [
        _after_seed(torch, ["torch.rand((), dtype=torch.float16)"]),
        [outcome(lambda: half.uniform_(3, 3)), torch.nn.functional.dropout(half + 1, 0.0)],
    ]


def seeds_that_are_no_integers(torch):
    given = (1.5, "a", None, True, [1], torch.tensor(3))
    return [outcome(lambda seed=seed: torch.Generator().manual_seed(seed)) for seed in given]


def whole_numbers_that_a_dtype_does_not_hold_exactly(torch):
    ranges = (
        (torch.float32, 0, 2**30), (torch.float32, -(2**30), 2**30), (torch.float32, 3, 2**63 - 1),
        (torch.float64, -(2**60), 2**60), (torch.float16, 0, 2**12), (torch.float16, -65504, 65504),
        (torch.float16, -4098, 4), (torch.int64, -(2**63), None),
    )  # fmt: skip
    found = []
    for dtype, low, high in ranges:
        torch.manual_seed(3)
        found.append(torch.zeros(5, dtype=dtype).random_(low, high).tolist())
    return found
