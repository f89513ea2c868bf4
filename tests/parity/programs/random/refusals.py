"""Random numbers that are refused are not used up, and ranges are held against the dtype."""

from tests.parity.harness import outcome


def what_is_left_after_refusals(torch):
    torch.manual_seed(7)
    leaf, alike = torch.ones(3, requires_grad=True), torch.ones(1).expand(3)
    attempts = (
        lambda: leaf.normal_(2, 2),
        lambda: leaf.uniform_(),
        lambda: leaf.bernoulli_(0.5),
        lambda: leaf.bernoulli_(torch.full((3,), 0.5)),
        lambda: leaf.exponential_(),
        lambda: leaf.random_(5),
        lambda: alike.normal_(),
        lambda: alike.uniform_(),
        lambda: alike.bernoulli_(0.5),
        lambda: alike.random_(),
        lambda: torch.ones(3).bernoulli_(torch.full((3,), 2.0)),
        lambda: torch.ones(3).normal_(0, -1),
        lambda: torch.ones(3, dtype=torch.long).normal_(),
        lambda: torch.randint(3, 1, (2,)),
    )
    return [(outcome(attempt), torch.rand(1)) for attempt in attempts]


def means_and_deviations_that_are_no_numbers(torch):
    ones = torch.ones(2)
    attempts = ((ones, [1.0]), ([1.0], ones), (ones, "a"), (ones, None), (None, ones), (1.0, 2.0))
    return [outcome(lambda m=mean, s=std: torch.normal(m, s)) for mean, std in attempts]


def ranges(torch):
    inf, nan = float("inf"), float("nan")
    half = torch.ones(2, dtype=torch.float16)
    return [
        outcome(lambda: torch.ones(2).uniform_(0, inf)),
        outcome(lambda: torch.ones(2).uniform_(nan, 1)),
        outcome(lambda: torch.ones(2).uniform_(-3e38, 3e38)),
        outcome(lambda: torch.ones(2).double().uniform_(0, -inf)),
        outcome(lambda: half.uniform_(0, 1e5)),
        outcome(lambda: half.uniform_(-4e4, 4e4)),
        outcome(lambda: half.uniform_(2, 1)),
        outcome(lambda: torch.ones(2).normal_(0, nan)),
        outcome(lambda: torch.normal(0.0, nan, (2,))),
    ]


def whole_numbers_of_a_dtype(torch):
    torch.manual_seed(0)

    def drawn(dtype, *bounds):
        into = torch.empty(2, dtype=dtype)
        draws = lambda: torch.randint(*bounds, (2,), dtype=dtype), lambda: into.random_(*bounds)
        return [outcome(draw) for draw in draws]

    return [
        *[drawn(torch.bool, *bounds) for bounds in ((2,), (3,), (-1, 2))],
        *[drawn(torch.uint8, *bounds) for bounds in ((256,), (300,), (-1, 300), (5, 3))],
        *[drawn(torch.int8, *bounds) for bounds in ((128,), (129,), (-128, 0), (-129, 0))],
        *[drawn(torch.float16, *bounds) for bounds in ((2049,), (65505,), (-65505, 0))],
        drawn(torch.float32, 2**24 + 1),
        [torch.empty(2, dtype=torch.float16).random_(3, None), torch.empty(2).random_(3, None)],
        [torch.empty(2, dtype=dtype).random_() for dtype in (torch.int32, torch.int64, torch.bool)],
    ]


def draws_beyond_what_is_exact(torch):
    """The numbers themselves are no promise."""
    return [torch.empty(2).random_(2**25).dtype, torch.empty(2).random_(-(2**26), 0).dtype]


def probabilities_of_other_shapes_and_dtypes(torch):
    draws = (
        lambda: torch.ones(3).bernoulli_(torch.ones(3, 1)),
        lambda: torch.ones(3).bernoulli_(torch.ones(2)),
        lambda: torch.ones(3).bernoulli_(torch.tensor([1, 0, 1])),
        lambda: torch.ones(2, 3).bernoulli_(torch.ones(2, 1)),
        lambda: torch.zeros(3, dtype=torch.int64).bernoulli_(torch.ones(1)),
        lambda: torch.ones(1).expand(3).bernoulli_(torch.ones(4)),
        lambda: torch.bernoulli(torch.tensor([1, 0]), 1.0),
        lambda: torch.bernoulli(torch.tensor([1, 0])),
        lambda: torch.bernoulli(torch.tensor([0.5]), 2.0),
        lambda: torch.bernoulli(torch.ones(2), torch.ones(2)),
        lambda: torch.bernoulli(torch.ones(2), 1.0)._version,
    )
    return list(map(outcome, draws))
