"""torch.nn.init: how parameters start."""

from tests.parity.sessions import shown


def by_init(torch):
    return shown(
        torch,
        """
        init, made = torch.nn.init, torch.empty(3, 4)
        seeded = torch.manual_seed(3)
        init.trunc_normal_(made, 3.0, 1.0, 5, 6), init.trunc_normal_(made, std=0.5, a=-0.5, b=0.5)
        init.trunc_normal_(made, 5.0, a=-1, b=1)
        init.sparse_(made, 0.5)
        init.sparse_(torch.empty(3), 0.5)
        init.eye_(made)
        init.eye_(torch.nn.Parameter(torch.empty(2, 2))).requires_grad
        init.uniform(made), init.normal(made), init.constant(made, 2.0), init.eye(made)
        init.xavier_uniform(made), init.xavier_normal(made)
        init.kaiming_uniform(made), init.kaiming_normal(made)
        init.sparse(made, 0.25)
        init.orthogonal(made) is made, init.uniform.__name__
        """,
    )
