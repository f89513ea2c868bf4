"""detach, data, clone: what shares memory, and what counts its changes."""

from tests.parity.harness import outcome, state


def detach_shares_memory_and_version(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    d = y.detach()
    d.add_(1)
    return {"y": state(y), "d": state(d), "same": d.data_ptr() == y.data_ptr(), "leaf": d.is_leaf}


def data_shares_memory_but_not_the_version(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    data = x.data
    data.mul_(10)
    return {
        "x": state(x),
        "data": state(data),
        "same": data.data_ptr() == x.data_ptr(),
        "each_access_is_new": x.data is x.data,
    }


def a_change_through_data_goes_unnoticed(torch):
    x = torch.tensor(3.0, requires_grad=True)
    a = x.clone()
    b = a * a
    a.data += 1
    b.backward()
    return x.grad


def a_change_of_a_result_through_data_goes_unnoticed(torch):
    seen = []
    for values in (0.5, [0.5, 2.0]):
        for function in ("exp", "sigmoid", "tanh", "sqrt", "reciprocal", "relu", "prod", "max"):
            for change in (lambda y: y.data.mul_(3), lambda y: setattr(y, "data", y.data * 3)):
                x = torch.tensor(values, requires_grad=True)
                y = getattr(x * 1, function)()
                change(y)
                y.sum().backward()
                seen.append(x.grad)
    return seen


def a_change_through_detach_is_noticed(torch):
    x = torch.tensor(3.0, requires_grad=True)
    a = x.clone()
    b = a * a
    a.detach().add_(1)
    return outcome(b.backward)


def data_can_be_set(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    version = x._version
    x.data = torch.tensor([5.0, 6.0, 7.0])
    (x * x).sum().backward()
    return [state(x), x.grad, version, x.is_leaf]


def clone_is_recorded_and_independent(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = x.clone()
    c.add_(5)
    c.sum().backward()
    return [state(x), state(c), x.grad]


def versions_of_new_tensors(torch):
    x = torch.tensor([1.0], requires_grad=True)
    return [t._version for t in (x, x * 2, x.clone(), x.detach(), x.view(1), torch.zeros(2))]


def versions_grow_by_each_in_place_operator(torch):
    x = torch.tensor([1.0, 2.0])
    seen = []
    changes = [
        lambda: x.add_(1),
        lambda: x.sub_(1),
        lambda: x.mul_(2),
        lambda: x.div_(2),
        lambda: x.pow_(2),
        lambda: x.exp_(),
        lambda: x.neg_(),
        lambda: x.fill_(3),
        lambda: x.zero_(),
        lambda: x.copy_(torch.ones(2)),
        lambda: x.__setitem__(0, 5.0),
        lambda: x.__setitem__(slice(None), 6.0),
    ]
    for change in changes:
        change()
        seen.append([x._version, x.tolist()])
    return seen


def augmented_assignment_is_in_place(torch):
    x = torch.tensor([1.0, 2.0])
    alias = x
    x += 1
    x *= 3
    x -= 2
    x /= 2
    return [alias is x, state(x)]


def augmented_assignment_of_indices(torch):
    x = torch.tensor([1.0, 2.0, 3.0])
    x[0] += 10
    after_index = x._version
    x[1:] *= 2
    return [state(x), after_index]


def views_share_the_version(torch):
    x = torch.zeros(4)
    v = x.view(2, 2)
    row = v[0]
    seen = [[x._version, v._version, row._version]]
    row.add_(1)
    seen.append([x._version, v._version, row._version])
    x.mul_(2)
    seen.append([x._version, v._version, row._version])
    return [seen, x, v, row]


def requires_grad_does_not_count_as_a_change(torch):
    x = torch.tensor([1.0])
    x.requires_grad_()
    x.requires_grad_(False)
    return x._version


def detach_in_place(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    returned = y.detach_()
    return [returned is y, state(y), y.is_leaf, outcome(y.backward)]


def detach_in_place_keeps_earlier_results(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * y
    y.detach_()
    return [outcome(z.backward), x.grad, y.requires_grad]


def the_gradient_and_its_tensor_share_nothing(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([1.0, 1.0])
    (x * 1).backward(g)
    g.zero_()
    return x.grad


def numbers_taken_out_share_memory(torch):
    x = torch.tensor([1.0, 2.0])
    first, second = x.unbind()
    with torch.no_grad():
        first.add_(10)
        x[1] = 7
    a, b = torch.tensor([3.0, 4.0])
    lone = torch.tensor(5.0)
    alias = lone.detach()
    lone.add_(1)
    alias.mul_(2)
    return x, second, a, b, lone, alias, [state(each) for each in (first, alias)]


def a_saved_output_that_backward_changes(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            with torch.no_grad():
                y.detach().add_(100)
            return g * 2

    x = torch.tensor(3.0, requires_grad=True)
    y = Doubled.apply(x)
    y.backward()
    return y.detach(), x.grad


def changes_that_are_not_counted(torch):
    quietly = torch.autograd._unsafe_preserve_version_counter
    x, seen = torch.ones(2, requires_grad=True), []
    y = x * 2
    z = y * y
    with quietly(y):
        y.add_(1)
        seen.append(y._version)
    other = torch.ones(2)
    view = other.view(2)
    with quietly((y.detach(), view)):
        other.mul_(3)
    z.sum().backward()
    with torch.inference_mode():
        untracked = torch.ones(2)
    refused = [outcome(lambda each=each: quietly(each)) for each in ([y], 3, untracked)]
    return [seen, y._version, other._version, x.grad, refused]
