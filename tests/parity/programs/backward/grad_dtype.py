"""`tensor.grad_dtype`: gradients of a leaf in a dtype of their own."""

import copy

from tests.parity.harness import outcome


def _leaf(torch, dtype=...):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    if dtype is not ...:
        leaf.grad_dtype = dtype
    return leaf


def _doubling(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.double()

    return Double.apply


def what_it_is(torch):
    leaf = _leaf(torch)
    whole = torch.ones(2, dtype=torch.int64)
    before = [str(leaf.grad_dtype), str(whole.grad_dtype)]
    leaf.grad_dtype = None
    after = leaf.grad_dtype
    leaf.grad_dtype = torch.float16
    return before, after, str(leaf.grad_dtype), outcome(lambda: (leaf * 2).grad_dtype)


def what_is_refused(torch):
    def refused(tensor, value):
        def assign():
            tensor.grad_dtype = value

        return outcome(assign)

    used = _leaf(torch)
    (used * 2).sum().backward()
    return [
        refused(_leaf(torch), "float"),
        refused(_leaf(torch), float),
        refused(_leaf(torch) * 2, None),
        refused(used, torch.float64),
        refused(used, torch.float32),
        refused(used, None),
    ]


def what_may_be_assigned(torch):
    def assigned(dtype, grad):
        leaf = _leaf(torch, dtype)

        def assign():
            leaf.grad = torch.ones(2, dtype=grad)
            return leaf.grad

        return outcome(assign)

    return [
        assigned(torch.float64, torch.float64),
        assigned(torch.float64, torch.float32),
        assigned(None, torch.float16),
        assigned(..., torch.float64),
        assigned(..., torch.int64),
        assigned(..., torch.float16),
    ]


def accumulated_in_it(torch):
    leaf = _leaf(torch, torch.float64)
    seen = []
    leaf.register_hook(lambda grad: seen.append(str(grad.dtype)))
    leaf.register_post_accumulate_grad_hook(lambda each: seen.append(str(each.grad.dtype)))
    (leaf * 2).sum().backward()
    first = leaf.grad
    (leaf * 3).sum().backward()
    return leaf.grad, leaf.grad is first, seen


def told_after_the_graph_was_made(torch):
    leaf = _leaf(torch)
    made = leaf * 2
    node = made.grad_fn.next_functions[0][0]
    leaf.grad_dtype = torch.float64
    made.sum().backward()
    return leaf.grad, str(node._input_metadata[0].dtype)


def any_dtype(torch):
    double = _doubling(torch)
    first, second, both, plain = [_leaf(torch, None) for _ in range(3)] + [_leaf(torch)]
    double(first).sum().backward()
    double(second).sum().backward()
    (second * 2).sum().backward()
    (double(both) + both * 2).sum().backward()
    double(plain).sum().backward()
    return first.grad, second.grad, both.grad, plain.grad


def of_a_root(torch):
    leaf, free, number = _leaf(torch, torch.float64), _leaf(torch, None), torch.tensor(1.0)
    leaf.backward(torch.ones(2))
    free.backward(torch.ones(2, dtype=torch.float64))
    number.requires_grad_().grad_dtype = torch.float16
    number.backward()
    return leaf.grad, free.grad, number.grad


def returned_by_grad(torch):
    leaf = _leaf(torch, torch.float64)
    unused = _leaf(torch, torch.float64)
    return [
        torch.autograd.grad((leaf * 2).sum(), leaf),
        torch.autograd.grad((leaf * leaf).sum(), leaf, create_graph=True),
        torch.autograd.grad((leaf * 2).sum(), unused, materialize_grads=True),
    ]


def hooks_keep_it(torch):
    leaf = _leaf(torch, torch.float64)
    leaf.register_hook(lambda grad: grad.float())
    return outcome(lambda: (leaf * 2).sum().backward())


def copies_do_not_know_it(torch):
    leaf = _leaf(torch, torch.float64)
    changed = _leaf(torch)
    changed.data = changed.data.double()
    kept = _leaf(torch, torch.float16)
    kept.data = kept.data.double()
    return [str(each.grad_dtype) for each in (copy.deepcopy(leaf), leaf.detach(), changed, kept)]


def of_a_transposed_leaf(torch):
    leaf = torch.ones(2, 3).t().requires_grad_()
    leaf.grad_dtype = torch.float64
    (leaf * 2).sum().backward()
    return leaf.grad, leaf.grad.stride()


def requires_grad_is_not_deleted(torch):
    leaf = _leaf(torch)

    def delete():
        del leaf.requires_grad

    return outcome(delete)


def copies_of_leaves_whose_gradient_is_another_kind(torch):
    wider, longer = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    wider.grad_dtype = None
    wider.grad = torch.ones(2, dtype=torch.float64)
    longer.grad = torch.ones(2)
    longer.data = torch.ones(3)
    return [outcome(lambda leaf=leaf: copy.deepcopy(leaf).grad) for leaf in (wider, longer)]


def told_to_views_that_have_lost_their_history(torch):
    weights, seen = torch.ones(2, requires_grad=True), []
    for base in (torch.zeros(2), weights * 1):
        view = base.unbind()[0] if base.requires_grad else base[:1]
        base.mul_(weights)
        told = outcome(lambda view=view: setattr(view, "grad_dtype", torch.float64))
        seen.append([told, outcome(lambda view=view: str(view.grad_dtype))])
    return seen


def told_to_what_has_another_gradient_and_is_no_leaf(torch):
    product = _leaf(torch) * 2
    product.retain_grad()
    product.sum().backward()
    return [
        outcome(lambda dtype=dtype: setattr(product, "grad_dtype", dtype))
        for dtype in (torch.float64, product.dtype)
    ]
