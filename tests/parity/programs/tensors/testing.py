"""torch.testing: tensors made for tests, and comparing with a tolerance."""

from tests.parity.sessions import shown


def made_tensors(torch):
    return shown(
        torch,
        """
        make = torch.testing.make_tensor
        seeded = torch.manual_seed(0)
        make((2, 3), dtype=torch.float32, device='cpu')
        make(4, dtype=torch.uint8, device='cpu'), make([4], dtype=torch.bool, device='cpu')
        make((4,), dtype=torch.int8, device='cpu', low=-500, high=500)
        make((4,), dtype=torch.int64, device='cpu', low=0.5, high=2.5)
        make((4,), dtype=torch.int64, device='cpu', low=0, high=2, exclude_zero=True)
        x = make((2, 3), dtype=torch.float64, device='cpu', noncontiguous=True, requires_grad=True)
        x, x.stride()
        make((), dtype=torch.float32, device='cpu', noncontiguous=True)
        make((2,), dtype=torch.float32, device='cpu', low=2, high=1)
        make((2,), dtype=torch.int64, device='cpu', low=1, high=1)
        """,
    )


def close_numbers(torch):
    return shown(
        torch,
        """
        close = torch.testing.assert_close
        close(np.float32(1), 1.0), close(3, np.int64(3)), close(np.bool_(True), True)
        close(np.float32(1), np.float32(2))
        close(np.float64(1), 1)
        close(np.bool_(True), np.bool_(False))
        """,
    )


def close_as_before(torch):
    return shown(
        torch,
        """
        close = torch.testing.assert_allclose
        close(torch.tensor([1.0, nan]), np.array([1.00005, nan])), close(1, torch.tensor(1.0))
        close(torch.tensor(1.0), 1.001)
        close(t([1.0, 2.0], dtype=torch.float64), t([1.0, 2.00001]))
        close(t([1.0, nan]), t([1.0, nan]), equal_nan=False, msg='not so')
        close([1.0], [1.001], rtol=0.01, atol=0.0), close([1], [2], 1.0, 0.0)
        close([1.0], [1.0, 1.0])
        close(t(1.0), t(1.0), rtol=0.1)
        sorted(set(torch.autograd.graph.__all__) - {'region_activation_memory_budget'})
        """,
    )
