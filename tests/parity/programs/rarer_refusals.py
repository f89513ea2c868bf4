"""Refusals that few programs meet: of modules, their containers, optimizers, checkpoints."""

from ..sessions import shown


def containers(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        s = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
        s + 3
        s += [nn.ReLU()]
        s[5]
        s['a']
        s.pop(0), len(s)
        del s[0:1]
        s
        s.insert(9, nn.ReLU())
        s.insert(0, nn.Tanh())
        s.append(3)
        m = nn.ModuleList([nn.ReLU()])
        m.extend(3)
        m.insert(0, nn.Tanh())
        m
        m + [nn.ReLU()]
        nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh()])
        nn.ModuleDict({'a': 3})
        nn.ModuleDict([('a', nn.ReLU(), 3)])
        nn.ModuleDict([3])
        d = nn.ModuleDict({'a': nn.ReLU()})
        d['b']
        d.pop('a'), len(d)
        nn.ModuleDict(3)
        'a' in nn.ModuleDict({'a': nn.ReLU()}), list(nn.ModuleDict({'a': nn.ReLU()}).keys())
        """,
    )


def parameter_containers(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        p = nn.ParameterList([torch.ones(2), 3])
        p
        p[5]
        p.extend(torch.ones(2))
        p.extend(3)
        p()
        p[0:1]
        p += [torch.zeros(1)]
        len(p), p[-1]
        """,
    )


def members(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        m = nn.Linear(1, 1)
        m.register_parameter(3, None)
        m.register_parameter('a.b', None)
        m.register_parameter('', None)
        m.register_parameter('forward', None)
        m.register_parameter('x', torch.ones(1))
        m.register_buffer('x', 3)
        m.register_buffer(3, None)
        m.add_module('x', 3)
        m.add_module(3, nn.ReLU())
        m.add_module('weight', nn.ReLU())
        m.add_module('a.b', nn.ReLU())
        m.add_module('', nn.ReLU())
        m.weight = torch.ones(1)
        m.weight = 3
        m.nothing
        m.get_submodule('nothing')
        m.get_submodule('weight')
        m.get_parameter('nothing')
        m.get_parameter('in_features')
        m.get_buffer('weight')
        nn.Sequential(m).get_parameter('0.weight').shape
        nn.Sequential(m).set_submodule('0', nn.ReLU())
        nn.Sequential(m).set_submodule('', nn.ReLU())
        nn.Sequential(m).set_submodule('0', 3)
        nn.Sequential(m).set_submodule('1', nn.ReLU(), strict=True)
        m.train(3)
        m.to(torch.int64)
        m.load_state_dict(3)
        m.load_state_dict({})
        m.load_state_dict({'weight': torch.ones(2, 2), 'bias': 3, 'more': torch.ones(1)})
        m.get_extra_state()
        m.set_extra_state(3)
        nn.Module()(3)
        nn.Module(3)
        nn.Module(a=3)
        m.share_memory() is m, m.cpu() is m, m.half().weight.dtype, m.double().bias.dtype
        m.type(torch.float32).weight.dtype
        nn.ReLU(1, 2)
        nn.ReLU(slope=1)
        """,
    )


def layers(torch):
    return shown(
        torch,
        """
        nn, F = torch.nn, torch.nn.functional
        nn.Dropout(2)
        F.dropout(torch.ones(2), -1)
        F.dropout(torch.ones(2), 1.0)
        nn.BatchNorm1d(2)(torch.ones(2, 2, 2, 2))
        nn.BatchNorm2d(2)(torch.ones(2, 2))
        nn.BatchNorm1d(2)(torch.ones(1, 2))
        F.batch_norm(torch.ones(2, 2), None, None)
        F.batch_norm(torch.ones(2, 2), torch.zeros(2), None)
        F.layer_norm(torch.ones(2, 3), ())
        F.layer_norm(torch.ones(2, 3), (2,))
        F.layer_norm(torch.ones(2, 3), (3,), weight=torch.ones(2))
        nn.LayerNorm(3).reset_parameters()
        nn.LayerNorm((2, 3), elementwise_affine=False)
        F.embedding(torch.tensor([5]), torch.ones(3, 2))
        F.embedding(torch.tensor([0.]), torch.ones(3, 2))
        F.embedding(torch.tensor([0]), torch.ones(3, 2), padding_idx=7)
        nn.Embedding(3, 2, padding_idx=-4)
        nn.Embedding(3, 2, padding_idx=-1)
        F.pad(torch.ones(2), (1, 2, 3))
        F.pad(torch.ones(2), (1, 2, 3, 4))
        F.softmax(torch.ones(2, 2))
        F.softmin(torch.tensor([0., 1.]), 0)
        F.one_hot(torch.tensor([0.]))
        F.one_hot(torch.tensor([0, 2]), 2)
        F.one_hot(torch.tensor([-1]))
        F.one_hot(torch.zeros(0, dtype=torch.int64))
        F.linear(torch.tensor(1.), torch.ones(1, 1))
        F.celu(torch.ones(1), 0)
        F.gelu(torch.ones(1), 'x')
        F.hardtanh(torch.ones(1), 1, 0)
        nn.Unflatten(1, 3)
        nn.Unflatten(1, (1, 2.5))
        F.normalize(torch.tensor([[3., 4.]]), out=torch.zeros(1, 2))
        F.smooth_l1_loss(torch.ones(2), torch.zeros(2), beta=0)
        F.smooth_l1_loss(torch.ones(2), torch.zeros(2), beta=-1)
        F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1]), label_smoothing=2.)
        """,
    )


def optimizers(torch):
    return shown(
        torch,
        """
        w = torch.ones(1, requires_grad=True)
        torch.optim.SGD([])
        torch.optim.SGD(w)
        torch.optim.SGD({w})
        torch.optim.SGD([3])
        torch.optim.SGD([w * 2])
        torch.optim.SGD([w], lr=-1)
        torch.optim.SGD([w], momentum=-1)
        torch.optim.SGD([w], weight_decay=-1)
        torch.optim.SGD([w], nesterov=True)
        torch.optim.SGD([w], lr=torch.ones(2))
        torch.optim.SGD([w, w])
        torch.optim.SGD([{'params': [w]}, {'params': [w]}])
        torch.optim.SGD([('a', w), w])
        torch.optim.SGD([('a', w)]).param_groups[0]['param_names']
        torch.optim.SGD([w]).add_param_group(3)
        torch.optim.SGD([w]).add_param_group({'params': [('a', torch.ones(1))]})
        torch.optim.SGD([w]).load_state_dict({'state': {}, 'param_groups': []})
        torch.optim.SGD([w]).load_state_dict({'state': {}, 'param_groups': [{'params': [0, 1]}]})
        torch.optim.Adam([w], lr=-1)
        torch.optim.Adam([w], eps=-1)
        torch.optim.Adam([w], betas=(1.0, 0.9))
        torch.optim.Adam([w], weight_decay=-1)
        torch.optim.Adam([w], lr=torch.ones(2))
        torch.optim.Adam([w], betas=(0.9, torch.tensor(0.9)))
        torch.optim.SGD([w], lr=0.5)
        torch.optim.Optimizer([w], {}).step()
        torch.optim.lr_scheduler.StepLR(3, 1)
        torch.optim.lr_scheduler.LambdaLR(torch.optim.SGD([w]), [abs, abs])
        torch.optim.lr_scheduler.StepLR(torch.optim.SGD([w]), 1, last_epoch=3)
        """,
    )


def checkpoints(torch):
    return shown(
        torch,
        """
        import importlib
        loaded = importlib.import_module(torch.__name__ + ".utils.checkpoint")
        checkpoint, checkpoint_sequential = loaded.checkpoint, loaded.checkpoint_sequential
        x = torch.ones(2, requires_grad=True)
        checkpoint(torch.exp, x)
        checkpoint(torch.exp, x, use_reentrant=True, other=3)
        checkpoint(torch.exp, x, use_reentrant=True, debug=True)
        checkpoint(torch.exp, x, use_reentrant=False, determinism_check='sometimes')
        checkpoint(torch.exp, x.detach(), use_reentrant=True)
        torch.autograd.grad(checkpoint(torch.exp, x, use_reentrant=True).sum(), x)
        checkpoint(lambda v: v.detach(), x, use_reentrant=True).sum().backward()
        checkpoint_sequential([torch.exp, torch.sin], 2, x)
        checkpoint_sequential([torch.exp], 1, x, use_reentrant=True, other=3)
        """,
    )
