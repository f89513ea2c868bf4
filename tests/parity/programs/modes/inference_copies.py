"""Inference tensors detached, copied and kept outside of inference mode."""

from tests.parity.harness import outcome


def _made(torch):
    with torch.inference_mode():
        return torch.arange(3.0)


def _version(tensor):
    return outcome(lambda: tensor._version)


def detached_ones_may_be_changed(torch):
    seen = []
    for detach in (lambda x: x.detach(), lambda x: x.data, lambda x: x.detach().data):
        whole = _made(torch)
        apart = detach(whole)
        seen.append([apart.is_inference(), apart._is_view(), _version(apart)])
        for change in (
            lambda x: x.add_(1),
            lambda x: x.zero_(),
            lambda x: x.__setitem__(slice(None), 3.0),
            lambda x: x.unsqueeze_(0),
        ):
            seen.append([outcome(lambda: change(apart)), _version(apart), whole])  # noqa: B023
        with torch.inference_mode():
            apart.mul_(2)
        seen.append([_version(apart), _version(whole), apart])
    return seen


def views_of_detached_ones_may_not(torch):
    apart = _made(torch).detach()
    views = [apart.view(3, 1), apart[0], *apart.split(2)]
    return [
        [view.is_inference(), _version(view), outcome(lambda view=view: view.add_(1))]
        for view in views
    ]


def detached_ones_are_not_kept(torch):
    x, apart = torch.ones(3, requires_grad=True), _made(torch).detach()
    y = x * 1
    return [
        outcome(lambda: x * apart),
        (x + apart).requires_grad,
        outcome(lambda: y.mul_(apart)),
        [y, y._version],
        outcome(lambda: apart.requires_grad_()),
        [outcome(lambda: y.mul_(_made(torch))), y, y._version],
    ]


def detached_inside(torch):
    whole = _made(torch)
    with torch.inference_mode():
        seen = [whole.detach(), whole.data, whole.detach().detach()]
    return [[each.is_inference(), _version(each)] for each in seen]


def copies_count_that_they_were_filled(torch):
    whole = _made(torch)
    copies = [
        whole.clone(),
        whole.to(torch.float64),
        whole.double(),
        whole.expand(2, 3).t().contiguous(),
        whole.detach().clone(),
        whole + 0,
        torch.ones(3).clone(),
    ]
    with torch.inference_mode():
        inside = [whole.clone(), torch.ones(3).double()]
    return [[each.is_inference(), _version(each)] for each in (*copies, *inside)]


def deep_copies_are_what_is_made_there(torch):
    import copy

    whole, normal = _made(torch), torch.ones(2)
    with torch.inference_mode():
        inside = [copy.deepcopy(whole), copy.deepcopy(normal)]
    outside = copy.deepcopy(whole)
    return [[each.is_inference(), _version(each)] for each in (*inside, outside)]


def copies_of_leaves_made_inside_are_recorded(torch):
    with torch.inference_mode():
        leaf = torch.arange(3.0, requires_grad=True)
    seen = [leaf.clone(), leaf.double(), leaf.expand(2, 3).t().contiguous()]
    (seen[0] * seen[1]).sum().backward()
    with torch.no_grad():
        seen.append(leaf.clone())
    leaf.detach_()
    return [[[each, each.is_inference(), each._version] for each in seen], leaf, leaf.grad]


def memory_of_inference_tensors_assigned(torch):
    seen = []
    for give in (lambda x: x, lambda x: x.detach(), lambda x: x[:]):
        leaf, normal = torch.ones(3, requires_grad=True), torch.ones(3)
        for x in (leaf, leaf * 2, normal, normal.view(3), _made(torch).detach()):
            x.data = give(_made(torch))
            seen.append([x.is_inference(), _version(x), x, outcome(lambda: x * leaf)])  # noqa: B023
            with torch.no_grad():
                x.add_(1)
            with torch.inference_mode():
                x.mul_(2)
            seen.append([_version(x), x, x.detach().is_inference(), x.view(3).is_inference()])
    return seen


def memory_of_others_assigned_to_detached_ones(torch):
    x, leaf = _made(torch).detach(), torch.ones(3, requires_grad=True)
    x.add_(1)
    x.data = torch.ones(3)
    return [x.is_inference(), _version(x), x * leaf, x.add_(1), _version(x), x.requires_grad_()]


def memory_of_others_assigned_to_inference_tensors(torch):
    linear = torch.inference_mode()(torch.nn.Linear)(2, 1)
    for parameter in linear.parameters():
        parameter.data = torch.ones(parameter.shape)
    weight, x = linear.weight, torch.ones(2, requires_grad=True)
    return [
        [weight.is_inference(), _version(weight), weight.clone(), weight + x],
        [outcome(call) for call in (lambda: weight * x, lambda: weight.view(2), weight.zero_)],
        [_version(weight.detach()), weight.data.is_inference(), weight.requires_grad_(False)],
        outcome(lambda: linear(x)),
    ]


def made_of_products(torch):
    x, vector = torch.ones(2, 3), torch.ones(3)
    with torch.inference_mode():
        made = [
            vector @ x.t(),
            x @ vector,
            x @ x.t(),
            vector @ vector,
            vector @ torch.ones(4, 3, 2),
            torch.nn.functional.linear(vector, x),
        ]
    return [[each.is_inference(), _version(each), each] for each in made]
