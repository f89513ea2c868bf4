"""`set_`: a tensor that sees another's memory, in any geometry."""

from tests.parity.harness import outcome, state


def _given(torch):
    return torch.ones(2, 3), torch.arange(4.0)


def memory_of_a_storage(torch):
    x, y = _given(torch)
    part = y[2:]
    seen = [x.set_(y.untyped_storage()).add_(1), y, [x._version, y._version]]
    x.set_(part.untyped_storage())
    return [*seen, x, x.data_ptr() == y.data_ptr(), x.untyped_storage().nbytes()]


def geometries(torch):
    seen = []
    for geometry in (
        (1, (2,)),
        (0, (2, 2)),
        (0, (2,), (2,)),
        (1, (2, 2), (1, 1)),
        (0, (), ()),
        (-1, (2,), (1,)),
        (0, (2,), (1, 1)),
    ):
        x, y = _given(torch)
        for source in (y, y.untyped_storage()):
            told = outcome(lambda: x.set_(source, *geometry))  # noqa: B023
            seen.append([told, x.stride(), x.storage_offset(), state(x)])
    return seen


def named_arguments(torch):
    x, y = _given(torch)
    return [
        x.set_(source=y),
        x.set_(source=y.untyped_storage()),
        x.set_(source=y, storage_offset=0, size=(2,), stride=(2,)),
        x.set_(),
    ]


def what_fits_no_form(torch):
    x, y = _given(torch)
    return [
        outcome(call)
        for call in (
            lambda: x.set_(3),
            lambda: x.set_([1.0, 2.0]),
            lambda: x.set_(y, 1),
            lambda: x.set_(y, (2,), (1,)),
            lambda: x.set_(y.double()),
        )
    ]


def parts_that_require_grad(torch):
    leaf, (_, y) = torch.ones(2, 3, requires_grad=True), _given(torch)
    refused = outcome(lambda: leaf.set_(y, 0, (2,)))
    with torch.no_grad():
        leaf.set_(y, 1, (2,), (2,))
    (leaf * leaf).sum().backward()
    gaps = outcome(lambda: torch.ones(2).set_(leaf, 1, (2,), (1,)))
    result = leaf.detach().clone().requires_grad_() * 1
    x = torch.ones(2).set_(result, 0, (1,), (1,))
    result.set_(y, 1, (2,), (1,))
    edges = len(result.grad_fn.next_functions)
    return [refused, leaf, leaf.grad, gaps, x, edges, outcome(lambda: result.sum().backward())]


def parts_of_a_part(torch):
    x, y = _given(torch)
    return [x.set_(y[1:], 1, (2,), (1,)).clone(), x.storage_offset(), x.set_(y[1:3]).clone()]


def set_tells_other_names(torch):
    base = torch.tensor([[1.0, 2.0]])
    view = base.expand(2, 2)
    view.set_(torch.zeros(3))
    return view, view._version, base, base._version
