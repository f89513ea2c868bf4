"""Sequential, lists and dicts of modules and parameters."""

from tests.parity.harness import outcome
from tests.parity.sessions import shown


def insertions(torch):
    nn = torch.nn
    return outcome(lambda: nn.Sequential(nn.ReLU()).insert(0, 3))["raises"]


def taken_without_a_place(torch):
    rows = torch.nn.Sequential(torch.nn.ReLU()), torch.nn.ModuleList([torch.nn.ReLU()])
    return [[outcome(row.pop), repr(row.pop(-1)), outcome(lambda r=row: r.pop(0))] for row in rows]


def dicts_of_modules(torch):
    return shown(
        torch,
        """
        d = torch.nn.ModuleDict({'a': torch.nn.ReLU(), 'b': torch.nn.Tanh()})
        d.items(), d.values(), list(d), 'a' in d, 'c' in d
        d.get('a')
        d.popitem()
        d.pop('a'), len(d)
        d.pop('a')
        d == d, d == torch.nn.ModuleDict(), hash(d) == hash(d)
        torch.nn.ModuleDict(d)
        d.clear(), d
        """,
    )


def of_modules(torch):
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


def of_parameters(torch):
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


def named_otherwise_than_numbered(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        m = nn.ModuleList([nn.ReLU()])
        m.extra = nn.Tanh()
        m[-1]
        m[1] = nn.Sigmoid()
        m
        del m[2]
        s = nn.Sequential(nn.ReLU())
        s.extra = nn.Tanh()
        s[-1], s[1]
        nn.ModuleDict({}).pop([])
        next(iter(nn.ParameterList([3])))
        """,
    )


def without_forward(torch):
    return shown(
        torch,
        """
        nn = torch.nn
        nn.ModuleList()(3)
        nn.ModuleDict()(3, scale=2)
        nn.Module.forward.__name__
        """,
    )
