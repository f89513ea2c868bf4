"""Modules and schedules where few look: saved states of old, tables given, words of hooks."""

from ..harness import outcome
from ..sessions import shown


def batch_norms_of_the_first_version(torch):
    return shown(
        torch,
        """
        m = torch.nn.Sequential(torch.nn.BatchNorm1d(1))
        dict(m.state_dict()._metadata)
        m[0].num_batches_tracked.fill_(5)
        old = {name: each for name, each in m.state_dict().items() if 'num' not in name}
        m.load_state_dict(old), m[0].num_batches_tracked
        m.load_state_dict({})
        new = m.state_dict()
        new.pop('0.num_batches_tracked')
        m.load_state_dict(new)
        torch.nn.BatchNorm1d(1, track_running_stats=False).load_state_dict({})
        type(m.load_state_dict({}, strict=False)).__name__
        """,
    )


def tables_given(torch):
    return shown(
        torch,
        """
        w = torch.arange(6.0).reshape(3, 2)
        e = torch.nn.Embedding.from_pretrained(w)
        e, e.weight, e.weight.data_ptr() == w.data_ptr()
        f = torch.nn.Embedding.from_pretrained(w, freeze=False, padding_idx=-1)
        f(t([2, 1])).sum().backward()
        f, f.weight.grad
        torch.nn.Embedding.from_pretrained(torch.ones(3))
        torch.nn.Embedding.from_pretrained(w, padding_idx=5)
        torch.nn.Embedding(4, 2, _weight=w)
        torch.nn.Embedding(3, 2, _freeze=True).weight.requires_grad
        g = torch.nn.Embedding(3, 2, 0, None, 2.0, False, False, torch.ones(3, 2))
        g, g.weight, g.max_norm, g.norm_type, g.scale_grad_by_freq, g.sparse
        torch.nn.Embedding.from_pretrained(w, True, 1, None, 1.0, False, False).norm_type
        """,
    )


def hooks_that_change_sizes(torch):
    return shown(
        torch,
        """
        m, x = torch.nn.Linear(2, 2), torch.ones(1, 2, requires_grad=True)
        h = m.register_full_backward_hook(lambda *_: (torch.ones(3),))
        m(x).sum().backward()
        h.remove()
        h = m.register_full_backward_pre_hook(lambda *_: (torch.ones(3),))
        m(x).sum().backward()
        """,
    )


def sizes_that_do_not_multiply_up(torch):
    return shown(
        torch,
        """
        torch.nn.Unflatten(1, (2, 3))(torch.ones(2, 4))
        torch.nn.Unflatten(5, (2, 2))(torch.ones(2, 4))
        torch.nn.Unflatten(-1, (2, -1))(torch.ones(2, 4, requires_grad=True))
        torch.ones(4).unflatten(0, (-1, 0))
        """,
    )


def rates_asked_for_outside_of_a_step(torch):
    def found(make):
        return shown(
            torch,
            f"""
            o = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
            s = torch.optim.lr_scheduler.{make}
            o.step()
            s.step()
            s.get_lr(), s.get_last_lr()
            s.state_dict()
            """,
        )

    return [
        found("StepLR(o, 1)"),
        found("ExponentialLR(o, 0.5)"),
        found("CosineAnnealingLR(o, 4)"),
        found("LambdaLR(o, lambda epoch: epoch + 1)"),
    ]


def starting_anew(torch):
    return shown(
        torch,
        """
        b = torch.nn.BatchNorm1d(2)
        b(t([[1.0, 2.0], [3.0, 5.0]])).shape
        torch.nn.init.constant_(b.weight, 3)
        b.reset_parameters()
        b.weight, b.bias, b.running_mean, b.running_var, b.num_batches_tracked
        torch.nn.BatchNorm1d(2, affine=False).reset_parameters()
        """,
    )


def bounds_that_hold_nothing(torch):
    return shown(
        torch,
        """
        torch.nn.Hardtanh(2, 1)
        torch.nn.Hardtanh(1, 1)
        torch.nn.Hardtanh(min_val=-2, max_val=0.5)
        torch.nn.Hardtanh(-2.0, 0.5)(t([-3.0, 0.0, 3.0]))
        torch.nn.Hardtanh()()
        """,
    )


def never_initialised(torch):
    class Bare(torch.nn.Module):
        def __init__(self):
            pass

    given = {"a": torch.nn.ReLU()}
    return [outcome(lambda: Bare()(1)), outcome(lambda: torch.nn.Sequential(given))]
