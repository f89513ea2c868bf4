"""Lines of modules, optimizers and checkpoints that hardly any program runs."""

import importlib

from ..harness import outcome, warned
from ..sessions import shown


def members(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        nn.ModuleDict()
        m = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
        [each for each in dir(m) if each.isdigit()]
        [each for each in dir(m[1]) if each in ('weight', 'running_mean', 'eps', 'forward')]
        m[1].set_submodule('weight', nn.ReLU())
        m[1].set_submodule('new', nn.ReLU(), strict=True)
        m.set_submodule('1.eps', nn.ReLU())
        class Bare(nn.Module): __init__ = lambda self: None
        Bare().register_parameter('w', None)
        Bare().register_buffer('w', None)
        Bare().add_module('w', None)
        Bare().register_module('w', nn.ReLU())
        nn.init.orthogonal_(torch.zeros(0, 3)).shape
        """,
    )


def insertions(torch):
    nn = torch.nn
    return outcome(lambda: nn.Sequential(nn.ReLU()).insert(0, 3))["raises"]


def parameters(torch):
    return shown(
        torch,
        """
        m = torch.nn.Linear(2, 1)
        w = m.weight
        w.__deepcopy__({id(w): 3})
        del m.weight
        m.weight = torch.tensor([[1.0, 2.0]])
        m.bias.data.fill_(3)
        m(torch.ones(1, 2))
        m = torch.nn.Linear(2, 1)
        m.weight.grad = (X * 2)[:1]
        m.zero_grad(set_to_none=False)
        m.weight.grad, m.weight.grad.grad_fn, m.weight.grad.requires_grad
        m.float() is m, m.weight.dtype
        """,
    )


def statistics(torch):
    """Of batches, in a layer whose attributes were changed since it was made."""
    return shown(
        torch,
        """
        x = torch.arange(4.0).reshape(2, 2)
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.track_running_stats = False
        b(x), b.running_mean, b.num_batches_tracked
        b.eval()(x)
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.running_mean = None
        b(x)
        b.double().running_var
        b.eval()(x.double())
        b = torch.nn.BatchNorm1d(2, affine=False)
        b.running_var = None
        b(x)
        b.eval()(x)
        b.running_mean = None
        b(x)
        b.eval()(x)
        b = torch.nn.BatchNorm1d(2, affine=False, track_running_stats=False)
        b.track_running_stats = True
        b(x)
        """,
    )


def states(torch):
    nn, one = torch.nn, torch.ones(2)

    class Held(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.zeros(2))
            self.register_buffer("b", torch.zeros(2))
            self.register_module("none", None)

    class WithMore(Held):
        def get_extra_state(self):
            return 3

        def set_extra_state(self, state):
            self.more = state

    def loaded(kind, state, **options):
        module = kind()
        said = outcome(lambda: str(module.load_state_dict(state, **options)))
        return [said, module.w, module.b]

    class Refusing(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.zeros(1).expand(2), requires_grad=False)

    missing, unexpected, errors = [], [], []
    WithMore()._load_from_state_dict({}, "", {}, False, missing, unexpected, errors)
    return [
        [missing, unexpected, errors],
        loaded(Held, {"w": one, "b": one}),
        loaded(Held, {"w": one}, strict=False),
        loaded(Held, {"b": one.double()}, strict=False, assign=True),
        loaded(Held, {"w": one.long(), "b": one.long()}, assign=True),
        loaded(WithMore, {"w": one}),
        loaded(WithMore, {"w": one}, strict=False),
        outcome(lambda: Refusing().load_state_dict({"w": one})),
    ]


def old_backward_hooks(torch):
    class Applied(torch.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.forward = function

    def said(function):
        module = Applied(function)
        module.register_backward_hook(lambda module, taken, given: None)
        return warned(lambda: module(torch.ones(2, requires_grad=True)))

    return [
        said(lambda x: x.detach()),
        said(lambda x: [x * 2]),
        said(lambda x: {"a": x * 2}),
        said(lambda x: ([x * 2], x * 3)),
        said(lambda x: (x.detach(), x * 2)),
    ]


def optimizers(torch):
    return shown(
        torch,
        """
        w = torch.zeros(2, requires_grad=True)
        v = torch.zeros(2, requires_grad=True)
        o = torch.optim.Adam([w, v])
        w.grad = torch.ones(2)
        o.step()
        w, v, len(o.state)
        o.state['note'] = 3
        saved = o.state_dict()
        saved['state']['more'] = {'a': 1}
        other = torch.optim.Adam([w, v])
        other.load_state_dict(saved)
        other.state['note'], other.state['more'], len(other.state)
        named = torch.optim.SGD([('w', w), ('v', v)])
        named.load_state_dict(torch.optim.SGD([w, v]).state_dict())
        named.param_groups[0]['param_names']
        named.load_state_dict(torch.optim.SGD([('a', w), ('b', v)]).state_dict())
        named.param_groups[0]['param_names']
        o = torch.optim.SGD([w], lr=0.5)
        o.param_groups[0]['initial_lr'] = 0.5
        s = torch.optim.lr_scheduler.StepLR(o, 2, last_epoch=3)
        o.param_groups[0]['lr'], s.get_last_lr(), s.last_epoch
        """,
    )


def checkpoints(torch):
    checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    x, runs = torch.ones(2, requires_grad=True), []

    def drawing(x):
        return x * torch.rand(2) * 2

    def longer(x):
        runs.append(1)
        for _ in runs:
            x = x.exp()
        return x

    torch.manual_seed(0)
    seen = []
    for reentrant in (False, True):
        y = checkpoint(drawing, x, use_reentrant=reentrant, preserve_rng_state=False)
        x.grad = None
        y.sum().backward()
        seen.append([y, x.grad])
    y = checkpoint(longer, x, use_reentrant=False, early_stop=False)
    failed = outcome(lambda: y.sum().backward())
    # PyTorch goes on with advice.
    return [*seen, {**failed, "says": failed["says"].partition("\n\nTip")[0].strip()}]
