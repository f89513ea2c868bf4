"""Settings of how to compute."""

from tests.parity.sessions import shown


def of_how_to_compute(torch):
    return shown(
        torch,
        """
        torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True)
        torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.is_deterministic_algorithms_warn_only_enabled()
        torch.use_deterministic_algorithms(False)
        torch.is_deterministic_algorithms_warn_only_enabled()
        torch.use_deterministic_algorithms(1)
        torch.set_num_threads(2), torch.get_num_threads()
        torch.set_num_threads(1), torch.get_num_threads()
        torch.set_num_threads(0)
        torch.set_num_threads(2.0)
        torch.set_num_threads(True)
        torch.set_float32_matmul_precision("high"), torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("low"), torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("highest"), torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision(3)
        """,
    )
