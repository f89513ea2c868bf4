"""What really happens where the overview of automatic differentiation speaks: auto-1 to auto-13.

Throughout, x1 = 1, x2 = 2, y1 = x1*x2, y2 = log y1, y3 = sin y1 and z = y2*y3.
"""

import math
from types import SimpleNamespace

from ..harness import graph, outcome, warned
from .claim import NON_LEAF_GRAD, NOTHING_TO_DIFFERENTIATE, Claims

claims = Claims()

MUL_OF_LEAVES = ["MulBackward0", [["AccumulateGrad"], 0], [["AccumulateGrad"], 0]]


def documents_program(torch, requires_grad=True, detach_before_log=False):
    x1 = torch.tensor(1.0, requires_grad=requires_grad)
    x2 = torch.tensor(2.0, requires_grad=requires_grad)
    y1 = x1 * x2
    y2 = torch.log(y1.detach() if detach_before_log else y1)
    y3 = torch.sin(y1)
    return SimpleNamespace(x1=x1, x2=x2, y1=y1, y2=y2, y3=y3, z=y2 * y3)


@claims.really(
    "auto-1",
    by_x1=0.33239537477493286,
    by_x2=0.16619768738746643,
    printed="dz/dx1=0.33239537477493286 dz/dx2=0.16619768738746643",
)
def the_documents_digits(torch):
    of = documents_program(torch)
    of.z.backward()
    return {
        "by_x1": of.x1.grad.item(),
        "by_x2": of.x2.grad.item(),
        "printed": f"dz/dx1={of.x1.grad} dz/dx2={of.x2.grad}",
    }


@claims.really(
    "auto-2",
    by_hand=[0.3323954139224974, 0.1661977069612487],
    in_double_precision=[0.3323954139224974, 0.1661977069612487],
)
def double_precision_agrees_with_the_hand(torch):
    by_x2 = math.sin(2) * 1 / 2 + math.log(2) * math.cos(2)
    x1 = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    x2 = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y1 = x1 * x2
    (torch.log(y1) * torch.sin(y1)).backward()
    return {
        "by_hand": [by_x2 * 2, by_x2],
        "in_double_precision": [x1.grad.item(), x2.grad.item()],
    }


@claims.really("auto-3", backward=NOTHING_TO_DIFFERENTIATE)
def backward_needs_requires_grad(torch):
    of = documents_program(torch, requires_grad=False)
    return {"backward": outcome(of.z.backward)}


@claims.really(
    "auto-4",
    by_attribute=True,
    by_method=True,
    method_returns_its_tensor=True,
    grad=[2.0, 1.0],
    switched_off_on_a_leaf=False,
    off_on_a_non_leaf={
        "raises": "RuntimeError",
        "says": "you can only change requires_grad flags of leaf variables. If you want to use a "
        "computed variable in a subgraph that doesn't require differentiation use "
        "var_no_grad = var.detach().",
    },
)
def requires_grad_can_be_set_later(torch):
    x1 = torch.tensor(1.0)
    x2 = torch.tensor(2.0)
    x1.requires_grad = True
    returned = x2.requires_grad_()
    requires_grad_by_method = x2.requires_grad
    y = x1 * x2
    y.backward()

    def switch_off():
        y.requires_grad = False

    off_on_a_non_leaf = outcome(switch_off)
    x2.requires_grad = False
    return {
        "by_attribute": x1.requires_grad,
        "by_method": requires_grad_by_method,
        "method_returns_its_tensor": returned is x2,
        "grad": [x1.grad.item(), x2.grad.item()],
        "switched_off_on_a_leaf": x2.requires_grad,
        "off_on_a_non_leaf": off_on_a_non_leaf,
    }


@claims.really(
    "auto-5",
    printed="tensor(0.6303)",
    requires_grad=False,
    is_leaf=True,
    has_grad_fn=False,
    printed_outside="tensor(0.6303, grad_fn=<MulBackward0>)",
)
def nothing_is_recorded_under_no_grad(torch):
    with torch.no_grad():
        z = documents_program(torch).z
    return {
        "printed": str(z),
        "requires_grad": z.requires_grad,
        "is_leaf": z.is_leaf,
        "has_grad_fn": z.grad_fn is not None,
        "printed_outside": str(documents_program(torch).z),
    }


@claims.really(
    "auto-6",
    grads=[None, None, None],
    warnings=[[NON_LEAF_GRAD], [NON_LEAF_GRAD], [NON_LEAF_GRAD]],
)
def intermediates_keep_no_gradient(torch):
    of = documents_program(torch)
    of.z.backward()
    grads = []
    warnings = [warned(lambda y=y: grads.append(y.grad)) for y in (of.y1, of.y2, of.y3)]
    return {"grads": grads, "warnings": warnings}


@claims.really(
    "auto-7",
    leaves=[0.33239537477493286, 0.16619768738746643],
    intermediates=[0.16619768738746643, 0.9092974066734314, 0.6931471824645996],
    retains_grad=[False, False, True, True, True],
    is_leaf=[True, True, False, False, False],
)
def retain_grad_keeps_the_intermediates_gradients(torch):
    of = documents_program(torch)
    intermediates = [of.y1, of.y2, of.y3]
    for y in intermediates:
        y.retain_grad()
    of.z.backward()
    return {
        "leaves": [of.x1.grad.item(), of.x2.grad.item()],
        "intermediates": [y.grad.item() for y in intermediates],
        "retains_grad": [t.retains_grad for t in (of.x1, of.x2, *intermediates)],
        "is_leaf": [t.is_leaf for t in (of.x1, of.x2, *intermediates)],
    }


@claims.really("auto-8", by_x1=-0.5769020318984985, by_x2=-0.28845101594924927)
def detaching_cuts_the_branch_of_the_log(torch):
    of = documents_program(torch, detach_before_log=True)
    of.z.backward()
    return {"by_x1": of.x1.grad.item(), "by_x2": of.x2.grad.item()}


@claims.really(
    "auto-9",
    same_memory=True,
    versions=[[0, 0], [1, 1], [2, 2]],
    after_change_of_detached=[7.0, 2.0],
    after_change_of_source=[7.0, 9.0],
)
def detach_shares_memory_and_version(torch):
    source = torch.tensor([1.0, 2.0])
    detached = source.detach()
    versions = [[source._version, detached._version]]
    detached[0] = 7.0
    seen_by_source = source.tolist()
    versions.append([source._version, detached._version])
    source[1] = 9.0
    versions.append([source._version, detached._version])
    return {
        "same_memory": source.data_ptr() == detached.data_ptr(),
        "versions": versions,
        "after_change_of_detached": seen_by_source,
        "after_change_of_source": detached.tolist(),
    }


@claims.really(
    "auto-10",
    numpy={
        "raises": "RuntimeError",
        "says": "Can't call numpy() on Tensor that requires grad. "
        "Use tensor.detach().numpy() instead.",
    },
)
def numpy_refuses_what_requires_grad(torch):
    return {"numpy": outcome(documents_program(torch).z.numpy)}


@claims.really(
    "auto-11",
    copy_printed="array(0.6302769, dtype=float32)",
    original_after_change_of_copy=0.6302769184112549,
    original_after_change_of_shared=5.0,
    array_after_change_of_tensor=6.0,
)
def numpy_shares_memory_unless_cloned(torch):
    z = documents_program(torch).z
    copy = z.detach().cpu().clone().numpy()
    printed = repr(copy)
    copy[...] = 4.0
    after_copy = z.item()
    shared = z.detach().numpy()
    shared[...] = 5.0
    after_shared = z.item()
    z.detach().fill_(6.0)
    return {
        "copy_printed": printed,
        "original_after_change_of_copy": after_copy,
        "original_after_change_of_shared": after_shared,
        "array_after_change_of_tensor": shared.item(),
    }


@claims.really(
    "auto-12",
    primal="tensor(0.6303)",
    tangents=[0.33239537477493286, 0.16619768738746643],
    tangent_printed="tensor(0.3324)",
    one_reverse_sweep=[0.33239537477493286, 0.16619768738746643],
)
def forward_mode_sweeps_once_an_input(torch):
    forward_ad = torch.autograd.forward_ad
    primals, tangents = [], []
    for tangent1, tangent2 in ((1.0, 0.0), (0.0, 1.0)):
        with forward_ad.dual_level():
            x1 = forward_ad.make_dual(torch.tensor(1.0), torch.tensor(tangent1))
            x2 = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(tangent2))
            y1 = x1 * x2
            primal, tangent = forward_ad.unpack_dual(torch.log(y1) * torch.sin(y1))
        primals.append(primal)
        tangents.append(tangent)
    of = documents_program(torch)
    reverse = torch.autograd.grad(of.z, [of.x1, of.x2])
    return {
        "primal": str(primals[0]),
        "tangents": [tangent.item() for tangent in tangents],
        "tangent_printed": str(tangents[0]),
        "one_reverse_sweep": [grad.item() for grad in reverse],
    }


@claims.really(
    "auto-13",
    whole=[
        "MulBackward0",
        [["LogBackward0", [MUL_OF_LEAVES, 0]], 0],
        [["SinBackward0", [MUL_OF_LEAVES, 0]], 0],
    ],
    detached=["MulBackward0", [None, 0], [["SinBackward0", [MUL_OF_LEAVES, 0]], 0]],
)
def the_detached_branch_is_absent_from_the_graph(torch):
    return {
        "whole": graph(documents_program(torch).z.grad_fn),
        "detached": graph(documents_program(torch, detach_before_log=True).z.grad_fn),
    }
