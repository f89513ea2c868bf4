"""What really happens where the document on leaf nodes speaks: leaf-1 to leaf-11."""

from ..harness import graph, outcome, warned
from .claim import NON_LEAF_GRAD, Claims

claims = Claims()


@claims.really(
    "leaf-1",
    is_leaf=True,
    called={"raises": "TypeError", "says": "'bool' object is not callable"},
)
def is_leaf_is_an_attribute(torch):
    x = torch.tensor(2)
    return {"is_leaf": x.is_leaf, "called": outcome(lambda: x.is_leaf())}


@claims.really("leaf-2", leaves=[True, True, True], requires_grad=[False, False, False])
def what_does_not_require_grad_is_a_leaf(torch):
    x = torch.tensor(2)
    y = x + 3
    z = x * y
    return {
        "leaves": [x.is_leaf, y.is_leaf, z.is_leaf],
        "requires_grad": [x.requires_grad, y.requires_grad, z.requires_grad],
    }


@claims.really(
    "leaf-3",
    integer={
        "raises": "RuntimeError",
        "says": "Only Tensors of floating point and complex dtype can require gradients",
    },
)
def integers_cannot_require_grad(torch):
    return {"integer": outcome(lambda: torch.tensor(2, requires_grad=True))}


@claims.really("leaf-4", leaves=[True, False], requires_grad=[True, True])
def what_one_computes_with_stays_a_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x + x
    return {
        "leaves": [x.is_leaf, y.is_leaf],
        "requires_grad": [x.requires_grad, y.requires_grad],
    }


@claims.really("leaf-5", leaves=[True, False, False])
def the_end_of_the_chain_is_no_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x + x
    z = y * 3
    return {"leaves": [x.is_leaf, y.is_leaf, z.is_leaf]}


@claims.really(
    "leaf-6",
    x_grad=None,
    y_grad=None,
    warned_for_x=[],
    warned_for_y=[NON_LEAF_GRAD],
)
def without_backward_there_is_no_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x + 3
    seen = {}
    warned_for_x = warned(lambda: seen.update(x=x.grad))
    warned_for_y = warned(lambda: seen.update(y=y.grad))
    return {
        "x_grad": seen["x"],
        "y_grad": seen["y"],
        "warned_for_x": warned_for_x,
        "warned_for_y": warned_for_y,
    }


@claims.really(
    "leaf-7",
    leaf=3.0,
    by_default=None,
    warned_by_default=[NON_LEAF_GRAD],
    retained=3.0,
    warned_when_retained=[],
)
def other_tensors_keep_gradients_on_request(torch):
    x = torch.tensor(2.0, requires_grad=True)
    forgets = x + 1
    (forgets * 3).backward()
    leaf = x.grad.item()
    seen = {}
    warned_by_default = warned(lambda: seen.update(forgets=forgets.grad))

    keeps = x + 1
    keeps.retain_grad()
    (keeps * 3).backward()
    warned_when_retained = warned(lambda: seen.update(keeps=keeps.grad))
    return {
        "leaf": leaf,
        "by_default": seen["forgets"],
        "warned_by_default": warned_by_default,
        "retained": seen["keeps"].item(),
        "warned_when_retained": warned_when_retained,
    }


@claims.really("leaf-8", requires_grad=[True, True, True], leaves=[False, False, False])
def requiring_grad_does_not_make_a_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    intermediates = [x + 1, x * x, torch.sin(x)]
    return {
        "requires_grad": [y.requires_grad for y in intermediates],
        "leaves": [y.is_leaf for y in intermediates],
    }


@claims.really(
    "leaf-9",
    leaf_before_backward=[True, None],
    retaining_after_backward=[False, 1.0],
    leaf_without_requires_grad=[True, None],
)
def the_absence_of_grad_tells_no_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    before = [x.is_leaf, x.grad]
    y = x * 3
    y.retain_grad()
    y.backward()
    constant = torch.tensor(2.0)
    return {
        "leaf_before_backward": before,
        "retaining_after_backward": [y.is_leaf, y.grad.item()],
        "leaf_without_requires_grad": [constant.is_leaf, constant.grad],
    }


@claims.really(
    "leaf-10",
    parent={"raises": "AttributeError", "says": "'Tensor' object has no attribute 'parent'"},
    graph=["MulBackward0", [["AddBackward0", [["AccumulateGrad"], 0], [None, 0]], 0], [None, 0]],
    ends_at_x=True,
)
def the_graph_is_followed_by_next_functions(torch):
    x = torch.tensor(2.0, requires_grad=True)
    z = (x + 3) * 4
    accumulate = z.grad_fn.next_functions[0][0].next_functions[0][0]
    return {
        "parent": outcome(lambda: z.parent),
        "graph": graph(z.grad_fn),
        "ends_at_x": accumulate.variable is x,
    }


@claims.really("leaf-11", is_leaf=True, requires_grad=False, has_grad_fn=False)
def a_detached_tensor_is_a_leaf(torch):
    x = torch.tensor(2.0, requires_grad=True)
    detached = (x * 3).detach()
    return {
        "is_leaf": detached.is_leaf,
        "requires_grad": detached.requires_grad,
        "has_grad_fn": detached.grad_fn is not None,
    }
