"""Devices, of which there is one."""

from tests.parity.sessions import shown


def around_code(torch):
    with torch.device("cpu") as device:
        return str(device), torch.ones(1)


def questions(torch):
    return shown(
        torch,
        """
        torch.accelerator.is_available(), torch.accelerator.device_count()
        "a device" if torch.accelerator.is_available() else "cpu"
        torch.accelerator.current_accelerator(check_available=True), torch.device("cpu", 0)
        torch.cuda.is_available(), torch.cuda.is_initialized(), torch.cuda.device_count()
        torch.cuda.manual_seed(1), torch.cuda.manual_seed_all(1), torch.cuda.empty_cache()
        torch.device("cpu", "a")
        torch.backends.mps.is_available()
        cudnn = torch.backends.cudnn
        cudnn.enabled, cudnn.deterministic, cudnn.benchmark
        setattr(cudnn, "deterministic", True), cudnn.deterministic
        setattr(cudnn, "deterministic", False)
        """,
    )
