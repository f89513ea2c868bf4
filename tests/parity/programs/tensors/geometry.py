"""Strides asked for, and questions about sizes, places and kinds."""

from tests.parity.sessions import shown


def geometries(torch):
    return shown(
        torch,
        """
        torch.empty_strided((2, 3), (1, 2)).stride()
        torch.empty_strided((2, 3), (1, 2), dtype=torch.int8).dtype
        torch.empty_strided((0, 3), (1, 2)).shape
        torch.ones(2, dtype=torch.int8).new_empty_strided((2, 2), (1, 2)).dtype
        torch.ones(2, dtype=torch.int8).new_empty_strided((2, 2), (1, 2)).stride()
        x = torch.ones(2, 3)
        x.is_set_to(x), x.is_set_to(x.t()), x.is_set_to(x.clone())
        torch.ones(2, 3).is_same_size(torch.ones(2, 3)), torch.ones(2).is_same_size(3)
        torch.ones(2).get_device(), torch.ones(2).is_signed()
        torch.is_signed(torch.ones(2, dtype=torch.uint8))
        torch.is_nonzero(t(0.)), torch.is_nonzero(t([1, 2]))
        torch.imag(torch.ones(2))
        torch.ones(2).real, torch.conj(torch.ones(2)), torch.ones(2).is_conj()
        torch.ones(2, 2).gather(0, t([[0, 0]]), sparse_grad=False)
        'a' in torch.ones(2)
        torch.is_complex(3)
        torch.is_nonzero(3)
        torch.is_same_size(3, 3)
        torch.numel(np.ones(2)), torch.is_floating_point(t([1]))
        torch.ones(2, 3).nelement(), torch.ones(2, 3).ndimension()
        """,
    )
