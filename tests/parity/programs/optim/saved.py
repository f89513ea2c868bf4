"""Optimizers and schedules put aside and taken up again: older states, copies, tensors as rates."""

import importlib

from tests.parity.sessions import shown


def states_of_earlier_versions(torch):
    return shown(
        torch,
        """
        w = torch.tensor([1.0, -2.0], requires_grad=True)
        w.grad = torch.tensor([0.5, 0.25])
        adam = torch.optim.Adam([w], lr=0.5)
        adam.step()
        saved = copy.deepcopy(adam.state_dict())
        saved['state'][0]['step'] = saved['state'][0]['step'].item()
        for name in ('amsgrad', 'maximize', 'foreach', 'fused'): del saved['param_groups'][0][name]
        adam.load_state_dict(saved)
        adam.state[w]['step'], adam.param_groups
        adam.step()
        w, adam.state_dict()
        sgd = torch.optim.SGD([w], lr=0.5)
        sgd.__setstate__({'state': {}, 'param_groups': [{'params': [w], 'lr': 0.25}]})
        sgd.param_groups, sgd.defaults
        torch.optim.Adam([w, w]).state_dict()['param_groups'][0]['params']
        """,
    )


def copies_of_optimizers(torch):
    return shown(
        torch,
        """
        w = torch.tensor([1.0, -2.0], requires_grad=True)
        sgd = torch.optim.SGD([w], lr=0.5, momentum=0.5)
        hook = sgd.register_step_pre_hook(lambda *args: print('hook'))
        plan = torch.optim.lr_scheduler.StepLR(sgd, 2)
        list(sgd.__getstate__())
        kept = pickle.loads(pickle.dumps(sgd))
        kept.param_groups, kept.state_dict(), len(kept._optimizer_step_pre_hooks)
        copy.deepcopy(sgd).param_groups, copy.deepcopy(plan).get_last_lr()
        """,
    )


def hooks_of_all_optimizers(torch):
    module = importlib.import_module(f"{torch.__name__}.optim.optimizer")
    w, seen = torch.ones(2, requires_grad=True), []
    sgd = torch.optim.SGD([w], lr=0.5)
    sgd.register_step_pre_hook(lambda *_: seen.append("its own, before"))
    sgd.register_step_post_hook(lambda *_: seen.append("its own, after"))
    before = module.register_optimizer_step_pre_hook(lambda o, *_: seen.append(o is sgd))
    after = module.register_optimizer_step_post_hook(lambda *_: seen.append("after"))
    sgd.step()
    before.remove()
    after.remove()
    sgd.step()
    return seen


def tensors_for_rates_and_betas(torch):
    return shown(
        torch,
        """
        w = torch.tensor([1.0, -2.0], requires_grad=True)
        betas = t(0.5), t(0.75)
        adam = torch.optim.Adam([w], lr=t(0.5), betas=betas)
        adam.param_groups[0]['betas'], adam
        w.grad = torch.tensor([0.5, 0.25])
        adam.step()
        w
        rate = adam.param_groups[0]['lr']
        plan = torch.optim.lr_scheduler.ExponentialLR(adam, 0.5)
        plan.step()
        adam.param_groups[0]['lr'] is rate, rate, rate._version
        adam.param_groups[0]['initial_lr'], plan.base_lrs, plan.get_last_lr()
        """,
    )


def betas_in_a_list(torch):
    return shown(
        torch,
        """
        w = torch.ones(2, requires_grad=True)
        torch.optim.Adam([w], betas=[0.5, 0.25])
        torch.optim.AdamW([w], betas=torch.tensor([0.5, 0.25])).defaults["betas"]
        torch.optim.Adam([{"params": [w], "betas": [0.5, 0.25]}]).param_groups[0]["betas"]
        """,
    )


def rates_of_given_epochs(torch):
    plans, seen = torch.optim.lr_scheduler, []
    for make in (
        lambda o: plans.StepLR(o, 2),
        lambda o: plans.ExponentialLR(o, 0.5),
        lambda o: plans.CosineAnnealingLR(o, 4, 0.25),
        lambda o: plans.LambdaLR(o, lambda after: 1 / (after + 1)),
    ):
        sgd = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=1.0)
        plan = make(sgd)
        sgd.step()
        for epoch in (5, 0, 3, 4):
            plan.step(epoch)
            seen.append([plan.last_epoch, round(sgd.param_groups[0]["lr"], 9)])
    return seen


class _Power:
    def __init__(self):
        self.base = 0.5

    def __call__(self, epoch):
        return self.base**epoch


def states_of_functions(torch):
    sgd, power = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=1.0), _Power()
    plan = torch.optim.lr_scheduler.LambdaLR(sgd, power)
    state = plan.state_dict()
    power.base = 0.25
    plan.load_state_dict(state)
    plain = torch.optim.lr_scheduler.LambdaLR(sgd, lambda epoch: 0.5)
    return state["lr_lambdas"], power.base, plain.state_dict()["lr_lambdas"]


def norms_of_other_orders(torch):
    return shown(
        torch,
        """
        w = torch.tensor([3.0, 4.0, 0.0], requires_grad=True)
        w.grad = w.detach().clone()
        torch.nn.utils.clip_grad_norm_([w], 1.0, 0), w.grad
        torch.nn.utils.clip_grad_norm_([w], 1.0, -inf), w.grad
        torch.nn.utils.get_total_norm([w.grad, torch.ones(2)], 3)
        """,
    )


def with_more_in_their_state(torch):
    return shown(
        torch,
        """
        w = torch.zeros(2, requires_grad=True)
        v = torch.zeros(2, requires_grad=True)
        o = torch.optim.Adam([w, v])
        w.grad = torch.ones(2)
        o.step()
        w, v, len(o.state)
        o.state['note'] = 3
        saved = o.state_dict()
        saved['state']['more'] = {'a': 1}
        other = torch.optim.Adam([w, v])
        other.load_state_dict(saved)
        other.state['note'], other.state['more'], len(other.state)
        named = torch.optim.SGD([('w', w), ('v', v)])
        named.load_state_dict(torch.optim.SGD([w, v]).state_dict())
        named.param_groups[0]['param_names']
        named.load_state_dict(torch.optim.SGD([('a', w), ('b', v)]).state_dict())
        named.param_groups[0]['param_names']
        o = torch.optim.SGD([w], lr=0.5)
        o.param_groups[0]['initial_lr'] = 0.5
        s = torch.optim.lr_scheduler.StepLR(o, 2, last_epoch=3)
        o.param_groups[0]['lr'], s.get_last_lr(), s.last_epoch
        """,
    )
