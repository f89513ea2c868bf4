"""What does not fit together, and what is said about it."""

from tests.parity.harness import outcome


def broadcasting(torch):
    a, b = torch.zeros(2, 3), torch.zeros(4)
    return [
        outcome(lambda: a + b),
        outcome(lambda: a * b),
        outcome(lambda: torch.zeros(2) - torch.zeros(3)),
        outcome(lambda: torch.zeros(2, 3, 1) / torch.zeros(4, 3)),
        outcome(lambda: torch.zeros(2, 3) == torch.zeros(2)),
        outcome(lambda: torch.zeros(3, 2) ** torch.zeros(3, 1, 3)),
    ]


def broadcasting_in_place(torch):
    return [
        outcome(lambda: torch.zeros(2).add_(torch.zeros(3))),
        outcome(lambda: torch.zeros(2).add_(torch.zeros(3, 2))),
        outcome(lambda: torch.zeros(3, 2).add_(torch.ones(2))),
        outcome(lambda: torch.tensor(1.0).mul_(torch.zeros(2))),
    ]


def matrix_products(torch):
    return [
        outcome(lambda: torch.zeros(2, 3) @ torch.zeros(2, 3)),
        outcome(lambda: torch.zeros(2, 3) @ torch.zeros(2)),
        outcome(lambda: torch.zeros(2) @ torch.zeros(3)),
        outcome(lambda: torch.zeros(2) @ torch.zeros(3, 2)),
        outcome(lambda: torch.tensor(1.0) @ torch.zeros(3)),
        outcome(lambda: torch.zeros(3) @ torch.tensor(1.0)),
    ]


def matrix_products_of_different_dtypes(torch):
    single, double = torch.zeros(2, 2), torch.zeros(2, 2, dtype=torch.float64)
    return [
        outcome(lambda: single @ double),
        outcome(lambda: double[0] @ single[0]),
        outcome(lambda: double @ single[0]),
    ]


def what_is_wrong_with_factors_first(torch):
    """In the order in which PyTorch looks."""
    ones = torch.ones
    double = ones(2, 2).double()
    stack, stacks = ones(1, 2, 2), ones(1, 2, 3)
    calls = {
        "addmm": [
            (ones(2, 2), ones(2, 3), double),
            (double, ones(2, 3), ones(2, 2)),
            (double, ones(2), ones(2, 2)),
            (ones(2, 2), ones(2).double(), ones(2, 2)),
            (ones(3, 2), ones(2, 2), ones(2, 2)),
            (ones(2), ones(2, 2), ones(2, 2)),
            (ones(1, 2, 2), ones(2, 2), ones(2, 2)),
            (ones(2), ones(2, 3), ones(2, 2)),
        ],
        "baddbmm": [
            (stack, stack.double(), stack),
            (stack.half(), stack, stack),
            (stack, stacks.double(), stack),
            (ones(7).double(), stacks, stack),
            (stack, ones(2), stack),
            (stack, ones(2, 2), ones(2, 2)),
            (stack, ones(2, 2), stack),
            (ones(1, 1, 2), stack, stack),
            (double, stack, stack),
            (ones(2, 2), stack, stack),
            (ones(5, 2), stack, stack),
        ],
        "inner": [
            (ones(2), double[0]),
            (ones(2, 2), double),
            (ones(2, 3), double),
            (ones(()), double),
            (ones(2).bool(), ones(2).bool()),
        ],
        "dot": [(ones(2).bool(), ones(2).bool())],
        "mv": [(ones(2, 2).bool(), ones(2).bool())],
        "bmm": [(stack.bool(), stack.bool())],
    }
    return {
        name: [
            [
                outcome(lambda: getattr(torch, name)(*args)),  # noqa: B023
                outcome(lambda: getattr(args[0].clone(), f"{name}_")(*args[1:]))  # noqa: B023
                if name.startswith(("addmm", "baddbmm"))
                else None,
            ]
            for args in each
        ]
        for name, each in calls.items()
    }


def what_is_looked_at_first(torch):
    """Shapes before scales, whether there are dimensions before how long they are."""
    functional = torch.nn.functional
    whole, truth = torch.ones(2).long(), torch.ones(2).bool()
    return [
        outcome(lambda: torch.add(whole, torch.ones(3).long(), alpha=2.5)),
        outcome(lambda: torch.sub(whole, torch.ones(3).long(), alpha=2.5)),
        outcome(lambda: torch.sub(truth, torch.ones(3).bool(), alpha=2.5)),
        outcome(lambda: torch.add(torch.ones(2), torch.ones(3), alpha=True)),
        outcome(lambda: whole.add_(torch.ones(3).long(), alpha=2.5)),
        outcome(lambda: torch.cross(torch.tensor(1.0), torch.tensor(1.0), dim=-1)),
        outcome(lambda: functional.embedding(whole, torch.tensor(1.0))),
        outcome(lambda: functional.embedding(whole, torch.ones(3))),
        outcome(lambda: functional.nll_loss(torch.ones(2), torch.ones(2, 3).long())),
        outcome(lambda: functional.nll_loss(torch.ones(2), torch.ones(0, 3).long())),
    ]


def linear_of_the_wrong_width(torch):
    layer = torch.nn.Linear(2, 4)
    return [outcome(lambda: layer(torch.zeros(3, 5))), outcome(lambda: layer(torch.zeros(3)))]


def reshaping(torch):
    x = torch.zeros(6)
    return [
        outcome(lambda: x.view(4)),
        outcome(lambda: x.reshape(4)),
        outcome(lambda: x.view(-1, 4)),
        outcome(lambda: x.reshape(-1, -1)),
        outcome(lambda: x.view(-1, 3)),
        outcome(lambda: torch.zeros(2, 3).t().view(6)),
        outcome(lambda: torch.zeros(2, 3).t().reshape(6)),
    ]


def axes_out_of_range(torch):
    x = torch.zeros(2, 3)
    return [
        outcome(lambda: x.transpose(0, 2)),
        outcome(lambda: x.unsqueeze(4)),
        outcome(lambda: x.squeeze(2)),
        outcome(lambda: x.sum(-3)),
        outcome(lambda: x.select(0, 5)),
        outcome(lambda: torch.zeros(2, 2, 2).t()),
    ]


def indices_out_of_range(torch):
    x = torch.zeros(2, 3)
    return [
        outcome(lambda: x[2]),
        outcome(lambda: x[0, 3]),
        outcome(lambda: x[-3]),
        outcome(lambda: x[0, 0, 0]),
        outcome(lambda: torch.tensor(1.0)[0]),
        outcome(lambda: x[5:]),
    ]


def expanding(torch):
    return [
        outcome(lambda: torch.zeros(2, 1).expand(2, 3)),
        outcome(lambda: torch.zeros(2, 3).expand(2, 4)),
        outcome(lambda: torch.zeros(2, 3).expand(3)),
        outcome(lambda: torch.zeros(3).expand(2, -1)),
        outcome(lambda: torch.zeros(3).expand(-1, 3)),
    ]


def dtypes_before_shapes(torch):
    long, short = torch.ones(3, dtype=torch.float64), torch.ones(2)
    return [
        outcome(lambda: torch.dot(long, short)),
        outcome(lambda: long @ short),
        outcome(lambda: torch.dot(long.float(), short)),
        outcome(lambda: torch.mv(torch.ones(2, 3), torch.ones(2, dtype=torch.float64))),
    ]
