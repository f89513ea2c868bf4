"""Memory that grows, and memory shared with NumPy, which cannot."""

import numpy as np

from tests.parity.harness import outcome, short_name
from tests.parity.sessions import shown


def _resized(tensor, length):
    try:
        return list(tensor.resize_(length).shape)
    except RuntimeError as error:
        return str(error)


def an_array(torch):
    return [_resized(torch.from_numpy(np.zeros(3)), length) for length in range(6)]


def an_array_with_as_tensor(torch):
    return [_resized(torch.as_tensor(np.zeros(3)), length) for length in range(6)]


def a_part_of_an_array(torch):
    return [_resized(torch.from_numpy(np.zeros(3))[1:], length) for length in range(6)]


def an_array_behind_detach(torch):
    return [_resized(torch.from_numpy(np.zeros(3)).detach(), length) for length in range(6)]


def a_copy(torch):
    return [_resized(torch.tensor(np.zeros(3)), length) for length in range(6)]


def under_inference(torch):
    with torch.inference_mode():
        tensor = torch.from_numpy(np.zeros(3))
    return tensor.is_inference(), tensor.tolist()


def what_numpy_has_seen(torch):
    x, y = torch.ones(3), torch.tensor(1.0)
    z = torch.ones(3, requires_grad=True).detach()
    x[1:].numpy(), y.numpy(), np.asarray(z.data)
    grown = [_resized(each, length) for each in (x, y, z, x.clone()) for length in (1, 3, 5)]
    return [grown, [each.untyped_storage().resizable() for each in (x, y, z, x.clone())]]


def memory_that_grows(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, requires_grad=True)
        x.data.resize_(5).shape
        x, x.storage_offset(), x.untyped_storage().nbytes()
        y = torch.arange(4.0)
        v = y[1:3]
        w = v.view(2, 1)
        v.resize_(9).shape
        v[1] = 7
        w, y, y.storage_offset(), w.storage_offset()
        w.data_ptr() == v.data_ptr(), y.data_ptr() == v.data_ptr() - 4
        """,
    )


def of_views_under_inference(torch):
    seen = []
    for made in (torch.no_grad(), torch.enable_grad()):
        base = torch.ones(2, 2, requires_grad=True) * 1
        with made:
            view = base.view(-1)
        with torch.inference_mode():
            view.resize_(2)
        seen.append(outcome(lambda view=view: short_name(view.grad_fn)))
    return seen
