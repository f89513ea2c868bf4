"""Operators in place, on a copy of what they are given."""

import autograd_core as torch

from .draws import EACH_ONCE, INDEX, MASK, positive, signed

IN_PLACE = {
    "log_": (lambda x: (x * 1).log_(), [positive(3)]),
    "log1p_": (lambda x: (x * 1).log1p_(), [positive(3)]),
    "expm1_": (lambda x: (x * 1).expm1_(), [signed(3)]),
    "sin_": (lambda x: (x * 1).sin_(), [signed(3)]),
    "cos_": (lambda x: (x * 1).cos_(), [signed(3)]),
    "tan_": (lambda x: (x * 1).tan_(), [signed(3) / 2]),
    "tanh_": (lambda x: (x * 1).tanh_(), [signed(3)]),
    "sigmoid_": (lambda x: (x * 1).sigmoid_(), [signed(3)]),
    "neg_": (lambda x: (x * 1).neg_(), [signed(3)]),
    "abs_": (lambda x: (x * 1).abs_(), [signed(3)]),
    "reciprocal_": (lambda x: (x * 1).reciprocal_(), [signed(3)]),
    "square_": (lambda x: (x * 1).square_(), [signed(3)]),
    "rsqrt_": (lambda x: (x * 1).rsqrt_(), [positive(3)]),
    "atan_": (lambda x: (x * 1).atan_(), [signed(3)]),
    "floor_": (lambda x: (x * 1).floor_(), [signed(3)]),
    "round_": (lambda x: (x * 1).round_(), [signed(3)]),
    "triu_": (lambda x: (x * 1).triu_(), [signed(3, 3)]),
    "tril_": (lambda x: (x * 1).tril_(), [signed(3, 3)]),
    "t_": (lambda x: (x * 1).t_(), [signed(2, 3)]),
    "squeeze_": (lambda x: (x * 1).squeeze_(), [signed(1, 3)]),
    "add_ alpha": (lambda x, y: (x * 1).add_(y, alpha=3), [signed(2, 3), signed(3)]),
    "sub_ alpha": (lambda x, y: (x * 1).sub_(y, alpha=3), [signed(2, 3), signed(3)]),
    "pow_ tensor": (lambda x, y: (x * 1).pow_(y), [positive(2, 3), signed(3)]),
    "remainder_": (lambda x, y: (x * 1).remainder_(y), [signed(2, 3), signed(3) * 2.1]),
    "addcmul_": (
        lambda x, y, z: (x * 1).addcmul_(y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "addcdiv_": (
        lambda x, y, z: (x * 1).addcdiv_(y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "lerp_": (lambda x, y: (x * 1).lerp_(y, 0.3), [signed(2, 3), signed(3)]),
    "addmm_": (lambda x, y, z: (x * 1).addmm_(y, z), [signed(3, 2), signed(3, 2), signed(2, 2)]),
    "clamp_ tensor": (lambda x, y: (x * 1).clamp_(y), [signed(2, 3), signed(3) * 1.3]),
    "cumsum_": (lambda x: (x * 1).cumsum_(1), [signed(2, 3)]),
    "cumprod_": (lambda x: (x * 1).cumprod_(1), [signed(2, 3)]),
    "masked_fill_": (lambda x: (x * 1).masked_fill_(MASK, 2.0), [signed(2, 3)]),
    "index_copy_": (
        lambda x, y: (x * 1).index_copy_(1, INDEX[:2], y),
        [signed(2, 3), positive(2, 2)],
    ),
    "fill_ tensor": (lambda x, y: (x * 1).fill_(y) * x, [signed(2, 3), signed()]),
    "index_put_": (
        lambda x, y: (x * 1).index_put_((INDEX,), y, accumulate=True) * x,
        [signed(3, 2), positive(3, 2)],
    ),
    "copy_": (lambda x, y: (x * 1).copy_(y) * x, [signed(2, 3), signed(3)]),
    "eq_": (lambda x, y: (x * 1).eq_(y) + x, [signed(3), signed(3)]),
    "transpose_": (lambda x: (x * 1).transpose_(0, 1), [signed(2, 3)]),
    "unsqueeze_": (lambda x: (x * 1).unsqueeze_(0), [signed(3)]),
    "as_strided_": (lambda x: (x * 1).as_strided_((2, 2), (1, 1), 1), [signed(2, 3)]),
    "add_": (lambda x, y: (x * 1).add_(y), [signed(2, 3), signed(3)]),
    "sub_": (lambda x, y: (x * 1).sub_(y), [signed(2, 3), signed(3)]),
    "mul_": (lambda x, y: (x * 1).mul_(y), [signed(2, 3), signed(3)]),
    "div_": (lambda x, y: (x * 1).div_(y), [signed(2, 3), signed(3)]),
    "pow_": (lambda x: (x * 1).pow_(2), [signed(3)]),
    "exp_": (lambda x: (x * 1).exp_(), [signed(3)]),
    "sqrt_": (lambda x: (x * 1).sqrt_(), [positive(3)]),
    "relu_": (lambda x: (x * 1).relu_(), [signed(3)]),
    "clamp_": (lambda x: (x * 1).clamp_(-0.8, 0.8), [signed(4)]),
    "scatter_": (
        lambda x, y: (x * 1).scatter_(0, EACH_ONCE, y) * x,
        [signed(2, 3), positive(2, 3)],
    ),
    "index_add_": (lambda x, y: (x * 1).index_add_(0, INDEX, y), [signed(3, 2), positive(3, 2)]),
    "zero_": (lambda x: (x * 1).zero_() + x, [signed(3)]),
}


def changed_part(x, y):
    base = x * 1
    base[:, 1] = y
    return base * base


def changed_view(x, y):
    base = x * 1
    base.t()[1].mul_(y)
    return base * x


def changed_by_indices(x, y):
    base = x * 1
    base[torch.tensor([1, 0])] = y
    return base * x


IN_PLACE |= {
    "setitem": (changed_part, [signed(2, 3), signed(2)]),
    "view": (changed_view, [signed(2, 3), signed(2)]),
    "indices": (changed_by_indices, [signed(2, 3), signed(3)]),
}
