"""What is said of arguments of a wrong kind: no tensors, no numbers, no lengths, no modules."""

from tests.parity.harness import outcome
from tests.parity.sessions import shown


class Thing:
    """Of no use to anybody."""


def _each(calls):
    return {name: outcome(call) for name, call in calls.items()}


def _refused(owner, names, *cases):
    """What the functions of `owner` give for each case of arguments, by their names."""
    return {
        name: [outcome(lambda n=name, c=case: getattr(owner, n)(*c)) for case in cases]
        for name in names.split()
    }


def functions_of_no_tensor(torch):
    names = """
    abs abs_ acos_ addmm baddbmm bmm ceil clamp_max clamp_min clip conj cos cos_ detach diag divide
    dot exp exp_ flip greater is_conj is_neg isnan log2_ mm multiply mv neg not_equal numel outer
    pow real reciprocal relu relu_ resolve_neg round sigmoid_ square square_ subtract swapdims t
    tanh trace true_divide zero_ where
    """
    return _refused(torch, names, ("a",), (None,), (Thing(),))


def functions_beside_no_tensor(torch):
    names = """
    add_ addmm atan2 bmm clamp clamp_max clamp_min div_ divide dot eq_ fmod greater greater_ kron
    less_ matmul maximum mm mul_ multiply multiply_ mv outer pow remainder resize_as_ is_set_to
    sub_ subtract subtract_ swapdims true_divide where
    """
    x = torch.ones(2, 2)
    return _refused(x, names.replace("where", ""), (Thing(),), (None,), (x, Thing()), (x, x, 1)) | {
        "where": [outcome(lambda v=v: torch.where(x > 0, v)) for v in (None, Thing())],
        "result_type": [outcome(lambda v=v: torch.result_type(x, v)) for v in (None, Thing(), 2)],
    }


def unknown_names_of_arguments(torch):
    x = torch.ones(2, 2)
    names = "add addcdiv addmm baddbmm copy_ mm multiply round sub"
    return {
        name: [
            outcome(lambda n=name: getattr(x, n)(bogus=1)),
            outcome(lambda n=name: getattr(x, n)(x, bogus=1)),
            outcome(lambda n=name: getattr(x, n)(x, x, Thing())),
        ]
        for name in names.split()
    }


def rows_of_no_tensors(torch):
    x = torch.ones(2, 2)
    names = "cat concat concatenate hstack row_stack stack vstack"
    kinds = ("a",), (Thing(),), (x,), ([x, 1.0],), ((Thing(), x),), ([],)
    return _refused(torch, names, *kinds) | {
        "broadcast_tensors": [outcome(lambda: torch.broadcast_tensors(x, 1.0))],
        "broadcast_shapes": [outcome(lambda: torch.broadcast_shapes(1.5))],
        "index_put": _refused(x, "index_put index_put_", (x, x), ((x > 0,), 1.0), ([1.0], x)),
    }


def new_tensors_of_wrong_sizes(torch):
    names = "empty eye full ones rand randint randn randperm zeros"
    sizes = (Thing(),), ("a",), (2, Thing()), (2, "a"), (1.5,), (), (torch.ones(2),)
    return _refused(torch, names, *sizes) | {
        "named": [outcome(lambda n=name: getattr(torch, n)(3, bogus=1)) for name in names.split()],
        "ranges": _refused(torch, "linspace logspace", (0, 1), (0, 1, Thing()), (0, "a", 2)),
        "arange": _refused(torch, "arange", (), (0, Thing()), (1, 2, 3, 4), ("a",)),
        "step": outcome(lambda: torch.arange(1, step=2)),
        "differentiated": outcome(lambda: torch.arange(torch.tensor(3.0, requires_grad=True))),
        "by name": outcome(lambda: torch.zeros(size=2)),
        "steps": _refused(torch, "linspace", (0, 1, True), (0, 1, torch.tensor(3))),
        "full": _refused(torch, "full", ((2,), Thing()), ((2,), "a"), ((2,),)),
        "strided": _refused(torch, "empty_strided", (Thing(), (1,)), ((1,), "a")),
    }


def new_tensors_like_no_tensor(torch):
    names = "empty_like ones_like rand_like randn_like zeros_like"
    x = torch.ones(2)
    return _refused(torch, names, (Thing(),), ([1.0],), (x, 1)) | {
        "full_like": _refused(torch, "full_like", (Thing(), 1), (x, Thing()), (x,)),
        "randint_like": _refused(torch, "randint_like", (x, Thing()), (x,), (x, 1.5)),
        "normal": _refused(torch, "normal", ("a", 1.0), (1.0, 1.0), (1.0, 1.0, Thing())),
        "bernoulli": _refused(torch, "bernoulli", (Thing(),), (x, Thing())),
        "isin": _refused(torch, "isin", (x, Thing()), (Thing(),)),
        "dtypes": _refused(torch, "promote_types can_cast", (x, 1), (torch.int64, 1)),
    }


def random_numbers_in_place(torch):
    x = torch.ones(2)
    wrong = (Thing(),), ("a",), (None,), (1.0, Thing()), (1.0, 2.0, 3.0)
    return _refused(x, "exponential_ normal_ random_ uniform_", *wrong) | {
        "random_": outcome(lambda: x.random_(1.5)),
        "bogus": outcome(lambda: x.random_(bogus=1)),
    }


def changes_that_are_refused(torch):
    x = torch.ones(2)
    changes = {
        "source": lambda: x.set_(None),
        "flag": lambda: x.copy_(x, 1),
        "format": lambda: x.double(1),
        "processor": lambda: x.cpu(1),
        "accumulate": lambda: x.index_put_((torch.tensor([0]),), x[:1], 1),
    }
    return _each(changes) | {"x": x.tolist()}


def functional_of_no_tensor(torch):
    functional = torch.nn.functional
    names = """
    celu elu gelu hardtanh leaky_relu logsigmoid mish one_hot relu relu6 relu_ selu sigmoid silu
    softplus softsign tanh
    """
    x = torch.ones(2, 2)
    of_two = "cosine_similarity embedding layer_norm pad"
    losses = "binary_cross_entropy binary_cross_entropy_with_logits l1_loss mse_loss"
    numbers = (x, Thing()), (x, None)
    return (
        _refused(functional, names, (Thing(),), ([1.0],))
        | _refused(functional, f"{of_two} {losses}", (Thing(), x), (x, Thing()))
        | _refused(functional, "elu leaky_relu softplus", *numbers)
        | {"linear": outcome(lambda: functional.linear(x, x, Thing()))}
    )


def layers_of_no_tensor(torch):
    nn = torch.nn
    layers = (
        nn.Tanh(), nn.Sigmoid(), nn.ReLU(), nn.GELU(), nn.Linear(2, 2), nn.LayerNorm(2),
        nn.Embedding(2, 2), nn.Softplus(),
    )  # fmt: skip
    return [
        [outcome(lambda m=module, v=value: m(v)) for value in ([1.0], None, layers[0])]
        for module in layers
    ]


def calls_of_modules_that_do_not_fit(torch):
    module = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    names = """
    add_module register_module register_forward_hook register_full_backward_hook get_parameter
    register_full_backward_pre_hook register_state_dict_pre_hook register_load_state_dict_post_hook
    register_buffer register_parameter set_submodule load_state_dict named_parameters to_empty
    """
    hooks = """
    register_step_pre_hook register_step_post_hook register_state_dict_pre_hook
    register_load_state_dict_post_hook zero_grad
    """
    none, many = (), (1, 2, 3, 4, 5)
    return {
        "module": _refused(module, names.replace("named_parameters", ""), none, many),
        "named_parameters": _refused(module, "named_parameters", many),
        "optimizer": _refused(optimizer, hooks.replace("zero_grad", ""), none, many),
        "zero_grad": _refused(optimizer, "zero_grad", many),
        "submodule": outcome(lambda: module.set_submodule(module, module)),
        "emptied": outcome(lambda: module.to_empty(device="cpu") is module),
    }


def arguments_of_strange_types(torch):
    return shown(
        torch,
        """
        torch.full(np.ones(1), 1)
        torch.full((2,), torch.float32)
        torch.zeros(torch.float32)
        torch.ones([torch.float32])
        torch.ones(2, [3]), torch.ones(2, 3.5)
        torch.ones([2, 3.5])
        torch.ones(2.5, 3)
        torch.ones([2.5, 3])
        torch.empty(2, None)
        torch.full((2, 3.), 1)
        torch.randint(3, (2, 3.))
        torch.ones(2).new_zeros(2, 'a')
        torch.ones(2, np.float32(3))
        torch.ones(2, True), torch.ones((2, True))
        torch.ones(True, 2)
        torch.eye('a')
        torch.arange(torch.float32)
        torch.zeros_like(np.ones(2))
        torch.full_like(t([1.]), np.ones(2))
        torch.zeros(2, requires_grad=np.ones(1))
        torch.zeros(2, dtype=np.ones(1))
        torch.zeros(2, dtype='float')
        torch.randint(3, torch.float32)
        torch.set_grad_enabled(torch.float32)
        torch.set_grad_enabled(1)
        torch.ones(2).requires_grad_(torch.float32)
        torch.promote_types(torch.float32, 3)
        torch.is_inference(np.ones(1))
        torch.ones(2).type_as(np.ones(1))
        torch.ones(2).add_(np.ones(1, dtype=object))
        torch.ones(2).mul_('a')
        torch.ones(2).size('a')
        torch.ones(2).stride(1.5)
        torch.ones(2).argmax('a')
        torch.ones(2).lerp(3, 2)
        torch.ones(2).addcmul(3, torch.ones(2))
        torch.ones(2).addcdiv(torch.ones(2), 'a')
        torch.ones(2).logsumexp('a')
        torch.autograd.set_detect_anomaly('a')
        """,
    )


def numbers_to_be_added_in_places(torch):
    x, at = torch.ones(2), torch.tensor([0])
    return [
        outcome(call)
        for call in (
            lambda: x.scatter_add(0, at, 1.0),
            lambda: x.scatter_add(0, at, None),
            lambda: x.scatter_add_(0, at, 2),
            lambda: torch.scatter_add(x, 0, at, src=1),
            lambda: torch.aminmax(x, dim=True),
            lambda: torch.aminmax(x, keepdim=1),
            lambda: x.aminmax(dim="a"),
            lambda: x.unsafe_split(torch.tensor(1)),
            lambda: x.bernoulli("a"),
            lambda: torch.cosine_similarity(x, 2, dim=0),
            lambda: torch.cosine_similarity(x, x, dim=0),
            lambda: torch.exp_(input=at),
            lambda: torch.fill_(input=x, value=torch.ones(2)),
        )
    ]
