"""What in-place operators refuse: overlapping memory, shapes, dtypes, leaves."""

import itertools

from tests.parity.harness import outcome, state, warned


def expanded_tensors(torch):
    x = torch.ones(1, 3).expand(2, 3)
    weight = torch.ones(3, requires_grad=True)
    calls = {
        "add_": lambda: x.add_(1),
        "mul_": lambda: x.mul_(2),
        "neg_": lambda: x.neg_(),
        "copy_": lambda: x.copy_(torch.zeros(2, 3)),
        "setitem": lambda: x.__setitem__(0, 1.0),
        "setitem of all": lambda: x.__setitem__(slice(None), 1.0),
        "zero_": lambda: x.zero_(),
        "fill_": lambda: x.fill_(3),
        "fill_ with a tensor": lambda: x.fill_(torch.tensor(4.0)),
        "+=": lambda: x.__iadd__(1),
        "weight": lambda: weight.expand(2, 3).add_(1),
        "copy of weight": lambda: (weight * 1).expand(2, 3).mul_(2),
        "add_ itself": lambda: x.add_(x),
        "pow_": lambda: x.pow_(2),
        "exp_": lambda: x.exp_(),
        "relu_": lambda: x.relu_(),
        "clamp_": lambda: x.clamp_(0, 1),
    }
    return [{name: outcome(call) for name, call in calls.items()}, x._version]


def overlapping_operands(torch):
    def over(change):
        x = torch.arange(6.0).clone()
        return [outcome(lambda: change(x)), x, x._version]

    return {
        "shifted": over(lambda x: x[1:].add_(x[:-1])),
        "shifted back": over(lambda x: x[:-1].mul_(x[1:])),
        "same": over(lambda x: x.add_(x)),
        "same view": over(lambda x: x[1:].add_(x[1:])),
        "apart": over(lambda x: x[:3].add_(x[3:])),
        "even and odd": over(lambda x: x[::2].add_(x[1::2])),
        "transposed": over(lambda x: x[:4].view(2, 2).add_(x[:4].view(2, 2).t())),
        "reshaped": over(lambda x: x.view(2, 3).add_(x.view(2, 3)[0])),
        "copied shifted": over(lambda x: x[1:].copy_(x[:-1])),
        "set shifted": over(lambda x: x.__setitem__(slice(1, None), x[:-1])),
        "copied apart": over(lambda x: x[:3].copy_(x[3:])),
        "copied broadcast": over(lambda x: x[:4].view(2, 2).copy_(x[1:5].view(2, 2)[:, 0])),
        "copied on itself": over(lambda x: x.copy_(x)),
        "copied transposed": over(lambda x: x[:4].view(2, 2).copy_(x[:4].view(2, 2).t())),
    }


def set_to_itself(torch):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y[:] = y
    z = x * 2
    z[1:] = z[:-1].clone()
    z[...] = z
    (y * y).sum().backward()
    first = x.grad.clone()
    (z * z).sum().backward()
    return [state(y), y.grad_fn.name(), first, state(z), x.grad]


def shapes(torch):
    x = torch.zeros(2, 3)
    calls = {
        "larger": lambda: x.add_(torch.ones(4, 2, 3)),
        "row": lambda: x.add_(torch.ones(3)),
        "column": lambda: x.add_(torch.ones(2, 1)),
        "too long": lambda: x.add_(torch.ones(4)),
        "small mul": lambda: torch.zeros(1, 3).mul_(torch.ones(2, 3)),
        "scalar": lambda: torch.tensor(1.0).add_(torch.ones(2)),
        "scalar of one": lambda: torch.tensor(1.0).add_(torch.ones(1)),
        "copy larger": lambda: x.copy_(torch.ones(4, 2, 3)),
        "copy too long": lambda: x.copy_(torch.ones(4)),
        "copy row": lambda: x.copy_(torch.arange(3.0)),
        "set too long": lambda: x.__setitem__(0, torch.ones(4)),
        "set larger": lambda: x.__setitem__(0, torch.ones(2, 3)),
        "set with ones in front": lambda: x.__setitem__(0, torch.ones(1, 1, 3)),
        "fill with several": lambda: x.fill_(torch.ones(2)),
        "sub": lambda: x.sub_(torch.ones(3, 3)),
        "div": lambda: x.div_(torch.ones(5, 2, 3)),
        "pow": lambda: x.pow_(torch.ones(5, 2, 3)),
    }
    return [{name: outcome(call) for name, call in calls.items()}, state(x)]


def dtypes(torch):
    def after(dtype, change):
        x = torch.ones(2, dtype=dtype)
        return outcome(lambda: change(x))

    half = torch.tensor([0.5, 1.5])
    changes = {
        "add a half": lambda x: x.add_(0.5),
        "add halves": lambda x: x.add_(half),
        "mul a half": lambda x: x.mul_(0.5),
        "add one": lambda x: x.add_(1),
        "mul true": lambda x: x.mul_(True),
        "add whole": lambda x: x.add_(torch.tensor([1, 2])),
        "div": lambda x: x.div_(2),
        "div tensor": lambda x: x.div_(torch.tensor([2, 2])),
        "exp": lambda x: x.exp_(),
        "sqrt": lambda x: x.sqrt_(),
        "pow a half": lambda x: x.pow_(0.5),
        "pow": lambda x: x.pow_(2),
        "fill a half": lambda x: x.fill_(2.5),
        "copy halves": lambda x: x.copy_(half),
        "set": lambda x: (x.__setitem__(0, 2.7), x)[1],
        "set halves": lambda x: (x.__setitem__(slice(None), half), x)[1],
        "double": lambda x: x.add_(half.double()),
        "scalar tensor": lambda x: x.add_(torch.tensor(0.5)),
        "sub": lambda x: x.sub_(1),
        "neg": lambda x: x.neg_(),
        "zero": lambda x: x.zero_(),
        "sigmoid": lambda x: x.sigmoid_(),
        "abs": lambda x: x.abs_(),
    }
    kinds = (torch.int64, torch.bool, torch.uint8, torch.float32, torch.float16, torch.int32)
    return {name: [after(dtype, change) for dtype in kinds] for name, change in changes.items()}


def leaves_and_their_views(torch):
    x = torch.ones(2, 3, requires_grad=True)
    weight = torch.ones(2, 3, requires_grad=True)
    calls = {
        "add_": lambda: x.add_(1),
        "zero_": lambda: x.zero_(),
        "copy_": lambda: x.copy_(weight),
        "set": lambda: x.__setitem__(0, 1.0),
        "set a mask": lambda: x.__setitem__(x > 0, 1.0),
        "view": lambda: x.view(6).add_(1),
        "view of a view": lambda: x.view(6)[1:].add_(1),
        "t": lambda: x.t().mul_(2),
        "detach": lambda: x.detach().add_(1),
        "+=": lambda: x.__iadd__(1),
        "expanded": lambda: x.expand(2, 2, 3).add_(1),
        "constant": lambda: torch.zeros(2, 3).add_(weight),
        "uniform_": lambda: x.uniform_(),
    }
    return [
        {
            name: outcome(call) if name != "uniform_" else "raises" in outcome(call)
            for name, call in calls.items()
        },
        x,
        x._version,
    ]


def a_refused_change_changes_nothing(torch):
    x = torch.arange(3.0)
    whole = torch.tensor([1, 2])
    for change in (lambda: x.add_(torch.ones(2, 3)), lambda: whole.add_(0.5)):
        outcome(change)
    leaf = torch.arange(3.0, requires_grad=True)
    outcome(lambda: leaf.add_(1))
    return [state(x), state(whole), state(leaf)]


def between_views_of_one_base(torch):
    x = torch.arange(6.0, requires_grad=True)
    base = (x * 1).view(2, 3)
    base[0].copy_(base[1])
    seen = [state(base)]
    base[:, 0].add_(base[:, 1])
    base[1].sub_(base[0])
    seen.append(state(base))
    (base * base).sum().backward()
    seen.append(x.grad)
    base[1].mul_(base[0])
    seen.append(outcome(lambda: base.sum().backward()))
    return seen


def an_operand_that_shares_the_memory(torch):
    x = torch.arange(1.0, 7.0, requires_grad=True)
    seen = []
    for change in (
        lambda b: b[:3].mul_(b[3:]),
        lambda b: b[:3].div_(b[3:]),
        lambda b: b.mul_(b.detach()),
        lambda b: b[:3].copy_(b[3:]),
        lambda b: b[:3].add_(b[3:]),
        lambda b: b.mul_(b),
        lambda b: b.mul_(b.clone()),
    ):
        base = x * 1
        change(base)
        seen.append([state(base), outcome(lambda base=base: torch.autograd.grad(base.sum(), x))])
    return seen


def expanded_tensors_are_written_at_indices_with_a_warning(torch):
    seen = []
    for index, value in (
        (torch.tensor([0]), 5.0),
        ([0, 1], torch.ones(2)),
        (torch.tensor([True, False, True]), 5.0),
        (torch.zeros(3, 2, dtype=torch.bool), 5.0),
    ):
        memory = torch.tensor([1.0, 2.0])
        expanded = memory.expand(3, 2)

        def write(expanded=expanded, index=index, value=value):
            expanded[index] = value

        seen.append([warned(write), memory, expanded._version])
    memory = torch.tensor([1.0, 2.0])
    adding = (torch.tensor([0]),), torch.ones(2)
    memory.expand(3, 2).index_put_(*adding, accumulate=True)
    return seen, memory


def attributes_that_nobody_may_set(torch):
    x = torch.ones(2, requires_grad=True)
    names = [
        "grad_fn",
        "is_leaf",
        "output_nr",
        "_version",
        "shape",
        "dtype",
        "ndim",
        "retains_grad",
    ]
    names += ["T", "mT", "device", "layout", "itemsize", "nbytes", "is_cuda", "is_sparse"]
    return [
        [name, outcome(lambda n=name: setattr(x, n, 1)), outcome(lambda n=name: delattr(x, n))]
        for name in names
    ]


def what_comes_first(torch):
    """That the tensor must not be changed is said before what is wrong with the value."""
    leaf = torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        view = (leaf * 1).view(4)
    return [outcome(lambda x=x: x.fill_(torch.ones(2))) for x in (leaf, leaf[0], view, leaf * 1)]


def an_expanded_tensor_copied_to_itself(torch):
    x = torch.ones(1).expand(3)
    return [x.copy_(x), x._version, outcome(lambda: x.copy_(x.clone()))]


def another_shape_in_inference_mode(torch):
    x = torch.ones(3, requires_grad=True) * 1
    with torch.inference_mode():
        x.resize_(2)
    return [x, outcome(lambda: x.resize_(1))]


def integers_are_copied_to_wherever_they_are(torch):
    leaf, whole = torch.ones(2, requires_grad=True), torch.zeros(2, 2, dtype=torch.int64)
    with torch.no_grad():
        row = whole[0]
    part = whole.unbind()[1]
    return [row.copy_(leaf), part.copy_(leaf), whole]


def what_comes_before_the_shapes(torch):
    """That a tensor must not be changed, or is read elsewhere, is said before shapes disagree."""
    leaf, other = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2)
    whole = torch.ones(2, 3)
    row, column = whole[0], whole.t()
    return [
        [outcome(lambda x=x: x.addcmul_(other, whole)), outcome(lambda x=x: x.lerp_(other, 0.5))]
        for x in (leaf, leaf.detach())
    ] + [
        outcome(lambda: row.addcmul_(column, whole)),
        outcome(lambda: whole.addcdiv_(whole, other)),
        outcome(lambda: torch.addcdiv(whole, whole, other)),
        outcome(lambda: torch.lerp(whole, whole, other)),
        outcome(lambda: leaf.masked_fill_(other > 0, 1.0)),
        outcome(lambda: leaf.__setitem__([1, 0], leaf)),
        outcome(lambda: leaf.__setitem__([1, 0], other)),
        outcome(lambda: leaf.__setitem__([0], other.double())),
        outcome(lambda: leaf.index_put_((torch.tensor([0]),), other)),
        outcome(lambda: whole.__setitem__([1, 0], whole)),
        outcome(lambda: whole.masked_fill_(other > 0, 1.0)),
        outcome(lambda: whole.masked_fill(other > 0, 1.0)),
        outcome(lambda: torch.where(whole > 0, other, whole)),
        outcome(lambda: torch.where(whole > 0, whole, other)),
        outcome(lambda: torch.where(whole > 0, other, other)),
    ]


def bounds_of_another_kind(torch):
    def of(data, *bounds, name="clamp_"):
        x = torch.tensor(data)
        return outcome(lambda: getattr(x, name)(*bounds))

    return [
        of([True], 0, 1),
        of([True], 0, 1.5),
        of([True], False, True),
        of([True], torch.tensor(False), torch.tensor(True)),
        of([True], torch.tensor(False)),
        of([True], None, True),
        of([True], 1, name="clamp_max_"),
        of([3], 1, 2.0),
        of([3], 1, True),
        of([3], 2.5, name="clamp_min_"),
        outcome(lambda: torch.tensor([True, False]).expand(())),
    ]


def bitwise_of_another_shape_and_dtype(torch):
    def run(name, have, kind, shape):
        change = getattr(torch.ones(2, dtype=have), name)
        return outcome(lambda: change(torch.ones(shape, dtype=kind)))

    names = "bitwise_and_", "bitwise_or_", "bitwise_left_shift_"
    dtypes, shapes = (torch.bool, torch.int64, torch.float32), ((3,), (2, 2), (2,))
    return [run(*each) for each in itertools.product(names, dtypes, dtypes, shapes)]
