"""Views made in one mode of views made in another, copies of views, and memory set elsewhere."""

import copy
import itertools

from tests.parity.harness import outcome, warned

VIEWS = {
    "alias": lambda each: each.view_as(each),
    "unbind": lambda each: each.unbind()[0],
    "split": lambda each: each.split(1)[0],
}


def which_of_two_modes_is_told(torch):
    modes = torch.enable_grad, torch.no_grad, torch.inference_mode
    seen = []
    for (name, view), first, then in itertools.product(VIEWS.items(), modes, modes):
        base = torch.ones(2, 2, requires_grad=True) * 1
        with first():
            part = base[:1]
        with then():
            changed = view(part)
        seen.append(
            [name, first.__name__, then.__name__, outcome(lambda changed=changed: changed.add_(1))]
        )
    return seen


def the_gradient_of_a_view_that_is_out_of_date(torch):
    """Nobody needs its history to say that it has no gradient."""
    base = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        view = base.view(2)
    parts = base.unbind()
    base.add_(1)
    asked = [view, *parts]
    return [
        [outcome(lambda each=each: each.grad), warned(lambda each=each: each.grad)]
        for each in asked
    ]


def a_copy_of_a_view_made_under_no_grad(torch):
    leaf = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        view = leaf[:1]
    copies = [copy.deepcopy(view), copy.copy(view)]
    return [*copies, [each.is_leaf for each in copies]]


def no_edge_leads_to_a_view_made_under_no_grad(torch):
    leaf = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        view = leaf[:1]
    return outcome(lambda: torch.autograd.graph.get_gradient_edge(view))


def a_view_of_what_is_set_elsewhere(torch):
    """The views of before keep the old memory, and count the changes of the new one."""
    base = torch.zeros(2)
    view, other = base[:1], torch.ones(2)
    base.set_(other)
    base.add_(1)
    counted = [base._version, view._version, other._version]
    view.add_(1)
    return [base, view, other, counted, [base._version, view._version, other._version]]


def a_copy_counts_for_itself(torch):
    x = torch.ones(2)
    x.add_(1)
    y = copy.copy(x)
    y.add_(1)
    return [x, [x._version, y._version, copy.deepcopy(x)._version]]
