"""What test suites lean on: where parameters start, hooks on what is registered, made tensors."""

from ..harness import outcome, warned
from ..sessions import shown


def starts(torch):
    return shown(
        torch,
        """
        init, made = torch.nn.init, torch.empty(3, 4)
        seeded = torch.manual_seed(3)
        init.trunc_normal_(made, 3.0, 1.0, 5, 6), init.trunc_normal_(made, std=0.5, a=-0.5, b=0.5)
        init.trunc_normal_(made, 5.0, a=-1, b=1)
        init.sparse_(made, 0.5)
        init.sparse_(torch.empty(3), 0.5)
        init.eye_(made)
        init.eye_(torch.nn.Parameter(torch.empty(2, 2))).requires_grad
        init.uniform(made), init.normal(made), init.constant(made, 2.0), init.eye(made)
        init.xavier_uniform(made), init.xavier_normal(made)
        init.kaiming_uniform(made), init.kaiming_normal(made)
        init.sparse(made, 0.25)
        init.orthogonal(made) is made, init.uniform.__name__
        """,
    )


def hooks_on_what_is_registered(torch):
    nn, hooks = torch.nn, torch.nn.modules.module
    seen = []

    def see(module, name, value):
        seen.append([type(module).__name__, name, value is None])

    handles = [
        hooks.register_module_parameter_registration_hook(see),
        hooks.register_module_buffer_registration_hook(see),
        hooks.register_module_module_registration_hook(see),
    ]
    model = nn.Sequential(nn.Linear(1, 1, bias=False))
    model.register_buffer("kept", torch.zeros(1))
    model.kept = None
    model.register_parameter("none", None)
    model.none = nn.Parameter(torch.ones(1))
    model.append(nn.ReLU())
    nn.ModuleDict({"a": nn.Tanh()})
    for handle in handles:
        handle.remove()
    handle = hooks.register_module_buffer_registration_hook(lambda *_: torch.ones(2))
    model.other = nn.Buffer(torch.zeros(1))
    model.kept = torch.zeros(1)
    handle.remove()
    model.more = nn.ReLU()
    return seen, model.other, model.kept, list(nn.Linear(1, 1, bias=False)._parameters)


def modules_wrongly_added(torch):
    module, layer = torch.nn.Module(), torch.nn.ReLU()
    return [
        outcome(lambda name=name, added=added: module.add_module(name, added))
        for name, added in (
            ("a.b", layer), ("", layer), (3, layer), ("a", 3), ("forward", layer), ("b", None),
        )
    ]  # fmt: skip


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


def devices_around_code(torch):
    with torch.device("cpu") as device:
        return str(device), torch.ones(1)


def questions_about_devices(torch):
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


def functions_that_are_saved(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        again = lambda what: pickle.loads(pickle.dumps(what))
        [again(each) is each for each in (torch.tanh, torch.absolute, torch.where, torch.zeros)]
        [again(each) is each for each in (torch.relu_, torch.is_tensor, torch.tensor, torch.rand)]
        [again(each) is each for each in (F.relu, F.gelu, F.elu, F.batch_norm, F.softmax)]
        torch.absolute.__name__, torch.relu.__module__
        import functools
        again(functools.partial(torch.sum, dim=0))(torch.ones(3, 2))
        model = torch.nn.Module()
        model.activation = torch.sigmoid
        again(model).activation is torch.sigmoid
        copy.deepcopy(model).activation is torch.sigmoid
        """,
    )


def settings_of_how_to_compute(torch):
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


def numbers_of_tensors_that_require_grad(torch):
    x = torch.tensor(1.5, requires_grad=True)
    seen = [warned(lambda: float(x)), warned(lambda: float(x.detach()))]
    with torch.no_grad():
        seen += [warned(lambda: float(x)), warned(lambda: int(x))]
        with torch.enable_grad():
            seen.append(warned(lambda: float(x)))
    return seen
