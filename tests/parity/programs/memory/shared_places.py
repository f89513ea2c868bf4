"""Gradients of tensors of which several elements are in one place, seen in other geometries."""


def strides_over_shared_places(torch):
    a = torch.arange(1.0, 4.0, requires_grad=True)
    weights = torch.arange(1.0, 7.0)
    seen = (
        a[:1].expand(3).as_strided((1,), (1,)),
        a.as_strided((2, 2), (1, 1)).as_strided((3,), (1,)),
        a.expand(2, 3).as_strided((2, 2), (1, 1)),
        (a * 1).expand(2, 3).as_strided((2, 3), (0, 1)),
        a.expand(2, 3).as_strided((3,), (1,)).as_strided((2, 2), (1, 1)),
    )
    return [torch.autograd.grad(each, a, weights[: each.numel()].view(each.shape)) for each in seen]


def second_derivatives(torch):
    a = torch.arange(1.0, 4.0, requires_grad=True)
    z = (a * a).expand(2, 3).as_strided((2, 2), (1, 1))
    (g,) = torch.autograd.grad((z * z).sum(), a, create_graph=True)
    return g, torch.autograd.grad((g * g).sum(), a)


def views_of_what_was_strided_in_place(torch):
    a = torch.arange(6.0, requires_grad=True)
    v = a * 1
    w = v[...]
    v.as_strided_((2, 2), (1, 1))
    both = torch.autograd.grad([v, w], a, [torch.ones(2, 2), torch.arange(6.0)], retain_graph=True)
    return both, torch.autograd.grad(w, a, torch.arange(6.0)), v, w
