"""Saved-tensor hooks in forward mode: what is unpacked has the tangent of what was packed."""

import importlib

from tests.parity.harness import plain


def _forward_ad(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.forward_ad")


def _checkpoint(torch):
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint


def _leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def _tangents(torch, tensors):
    unpack = _forward_ad(torch).unpack_dual
    return [plain(each if each is None else unpack(each).tangent) for each in tensors]


_HOOKS = {
    "the same": (lambda t: t, lambda t: t),
    "detached": (lambda t: t.detach(), lambda t: t),
    "cloned": (lambda t: t.clone(), lambda t: t),
}


def of_inputs_and_results(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

        @staticmethod
        def jvp(ctx, t):
            return 2 * ctx.saved_tensors[0] * t

    functions = {
        "product": lambda x, w: x * w,
        "square": lambda x, w: x * x,
        "power": lambda x, w: (x * x) ** 2,
        "square root": lambda x, w: (x * x).sqrt(),
        "in place": lambda x, w: (x * 1).mul_(w),
        "custom": lambda x, w: Square.apply(x),
        "checkpoint": lambda x, w: _checkpoint(torch)(lambda x: x * x * w, x, use_reentrant=False),
    }
    results = []
    for name, function in functions.items():
        for kind, hooks in _HOOKS.items():
            x, w = _leaf(torch), _leaf(torch)
            with _forward_ad(torch).dual_level():
                dual = _forward_ad(torch).make_dual(x, torch.tensor([1.0, 10.0]))
                with torch.autograd.graph.saved_tensors_hooks(*hooks):
                    y = function(dual, w)
                grads = torch.autograd.grad(y.sum(), [x, w], allow_unused=True)
                results.append([name, kind, _tangents(torch, [y, *grads])])
    return results


def hooks_on_one_saved_tensor(torch):
    x = _leaf(torch)
    with _forward_ad(torch).dual_level():
        dual = _forward_ad(torch).make_dual(x, torch.tensor([1.0, 10.0]))
        y, z = dual * dual, (dual * dual).sqrt()
        y.grad_fn._raw_saved_self.register_hooks(lambda t: t.clone(), lambda t: t)
        z.grad_fn._raw_saved_result.register_hooks(lambda t: t.clone(), lambda t: t)
        saved = [y.grad_fn._saved_self, z.grad_fn._saved_result]
        grads = torch.autograd.grad(z.sum(), x)
        inside = _tangents(torch, [*saved, *grads])
    with _forward_ad(torch).dual_level():
        return [inside, _tangents(torch, [y.grad_fn._saved_self])]
