"""AdamW, hooks around an optimizer's steps and state, and learning rates that change."""

from tests.parity.harness import outcome, warned
from tests.parity.sessions import shown


def _parameter(torch):
    return torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64))


def _steps(torch, optimizer, parameter, count=4):
    seen = []
    for _ in range(count):
        optimizer.zero_grad()
        (parameter * parameter * parameter).sum().backward()
        optimizer.step()
        seen.append([round(value, 9) for value in parameter.tolist()])
    return seen


def adamw(torch):
    seen = []
    for options in (
        {}, {"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.5}, {"betas": (0.5, 0.75)},
        {"amsgrad": True, "lr": 0.2}, {"maximize": True},
        {"eps": 0.1, "lr": torch.tensor(0.125, dtype=torch.float64)},
    ):  # fmt: skip
        parameter = _parameter(torch)
        seen.append(_steps(torch, torch.optim.AdamW([parameter], **options), parameter))
    return seen


def adamw_itself(torch):
    make, parameter = torch.optim.AdamW, _parameter(torch)
    return [
        repr(make([parameter])),
        isinstance(make([parameter]), torch.optim.Adam),
        outcome(lambda: make([parameter], lr=-1)),
        outcome(lambda: make([parameter], weight_decay=-1.0)),
        outcome(lambda: make([parameter], betas=(1.0, 0.5))),
        sorted(make([parameter]).state_dict()["param_groups"][0]),
    ]


def hooks_around_steps(torch):
    parameter, seen = _parameter(torch), []
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    first = optimizer.register_step_pre_hook(
        lambda o, args, kwargs: seen.append(["before", o is optimizer, len(args), kwargs])
    )
    optimizer.register_step_post_hook(
        lambda o, args, kwargs: seen.append(["after", len(args), list(kwargs)])
    )
    _steps(torch, optimizer, parameter, 1)
    first.remove()
    optimizer.step(closure=lambda: 1)
    optimizer.register_step_pre_hook(lambda *_: 3)
    return seen, outcome(optimizer.step)["raises"]


def hooks_that_replace_arguments(torch):
    optimizer = torch.optim.SGD([_parameter(torch)])
    optimizer.register_step_pre_hook(lambda o, args, kwargs: (args, {"closure": lambda: 5}))
    return optimizer.step()


def hooks_around_state(torch):
    optimizer, seen = torch.optim.SGD([_parameter(torch)], lr=0.5), []
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("before"))
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append(sorted(state)))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("second"))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("first"), prepend=True)
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    return seen, sorted(state)


def _rates(torch, make, epochs=9):
    optimizer = torch.optim.SGD(
        [{"params": [_parameter(torch)]}, {"params": [_parameter(torch)], "lr": 0.25}], lr=0.5
    )
    scheduler = make(torch.optim.lr_scheduler, optimizer)
    seen = []
    for _ in range(epochs):
        optimizer.step()
        scheduler.step()
        seen.append([group["lr"] for group in optimizer.param_groups])
    return seen, scheduler.get_last_lr(), scheduler.last_epoch


def schedules(torch):
    return [
        _rates(torch, lambda s, o: s.StepLR(o, 3)),
        _rates(torch, lambda s, o: s.StepLR(o, step_size=2, gamma=0.5)),
        _rates(torch, lambda s, o: s.ExponentialLR(o, 0.9)),
        _rates(torch, lambda s, o: s.CosineAnnealingLR(o, 4)),
        _rates(torch, lambda s, o: s.CosineAnnealingLR(o, T_max=3, eta_min=0.1)),
        _rates(torch, lambda s, o: s.LambdaLR(o, lambda epoch: 1 / (1 + epoch))),
        _rates(torch, lambda s, o: s.LambdaLR(o, [lambda e: 0.5**e, lambda e: 1.0])),
    ]


def first_rates(torch):
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5 + epoch)
    return optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["initial_lr"]


def warnings_of_schedules(torch):
    schedule = torch.optim.lr_scheduler
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    early = schedule.StepLR(optimizer, 2)
    told = [warned(early.step), warned(early.step)]
    optimizer.step()
    late = schedule.StepLR(optimizer, 2)
    optimizer.step()
    return told, warned(late.step), warned(lambda: late.step(5))


def states_of_schedules(torch):
    schedule = torch.optim.lr_scheduler
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    one = schedule.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    one.step()
    other = schedule.ExponentialLR(torch.optim.SGD([_parameter(torch)], lr=0.5), 0.9)
    other.load_state_dict(one.state_dict())
    return one.state_dict()["last_epoch"], other.gamma, other.last_epoch, other.get_last_lr()


def schedules_wrongly(torch):
    schedule = torch.optim.lr_scheduler
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    return [
        outcome(lambda: schedule.StepLR(3, 2)),
        outcome(lambda: schedule.LambdaLR(optimizer, [abs, abs])),
        outcome(lambda: schedule.StepLR(optimizer, 2, last_epoch=3)),
        outcome(lambda: schedule.LRScheduler(optimizer)),
    ]


def schedules_made_later(torch):
    schedule = torch.optim.lr_scheduler
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    schedule.StepLR(optimizer, 2)
    optimizer.step()
    later = schedule.ExponentialLR(optimizer, 0.5)
    return warned(later.step), later.get_last_lr()


def rates_asked_for_outside_of_a_step(torch):
    def found(make):
        return shown(
            torch,
            f"""
            o = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
            s = torch.optim.lr_scheduler.{make}
            o.step()
            s.step()
            s.get_lr(), s.get_last_lr()
            s.state_dict()
            """,
        )

    return [
        found("StepLR(o, 1)"),
        found("ExponentialLR(o, 0.5)"),
        found("CosineAnnealingLR(o, 4)"),
        found("LambdaLR(o, lambda epoch: epoch + 1)"),
    ]


def steps_that_fail_or_are_replaced(torch):
    return shown(
        torch,
        """
        o = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
        s = torch.optim.lr_scheduler.StepLR(o, 1)
        o.step(3)
        s.step()
        o = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
        s = torch.optim.lr_scheduler.StepLR(o, 1)
        o.step = lambda: None
        s.step()
        o.step()
        len(o._optimizer_step_post_hooks), sorted(s.state_dict())
        """,
    )


def rates_in_tensors_of_one_element(torch):
    schedule, seen = torch.optim.lr_scheduler, []
    for make in (
        lambda o: schedule.StepLR(o, 1),
        lambda o: schedule.ExponentialLR(o, torch.tensor(0.5)),
        lambda o: schedule.CosineAnnealingLR(o, 4),
        lambda o: schedule.LambdaLR(o, lambda epoch: 0.5**epoch),
    ):
        optimizer = torch.optim.SGD([_parameter(torch)], lr=torch.tensor([0.5]))
        scheduler = make(optimizer)
        for _ in range(3):
            optimizer.step()
            scheduler.step()
        seen.append([scheduler.get_last_lr(), optimizer.param_groups[0]["lr"]])
    return seen


def taken_up_again(torch):
    schedule, seen = torch.optim.lr_scheduler, []
    optimizer = torch.optim.SGD([_parameter(torch)], lr=0.5)
    optimizer.param_groups[0]["initial_lr"] = 0.5
    cosine = schedule.CosineAnnealingLR(optimizer, 4, last_epoch=1)
    optimizer.step()
    seen.append(warned(lambda: seen.append(cosine.get_lr())))
    cosine.step()
    seen.append(cosine.get_last_lr())
    steps = schedule.StepLR(optimizer, 2)
    steps.last_epoch = -3
    steps.step()
    seen.append(steps.get_last_lr())
    factor = schedule.LambdaLR(optimizer, lambda epoch: epoch)
    state = factor.state_dict()
    factor.load_state_dict(state)
    return [*seen, sorted(state), outcome(lambda: factor.load_state_dict({}))]
