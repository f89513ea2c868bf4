"""What optimizers and schedules refuse."""

from tests.parity.harness import outcome
from tests.parity.sessions import shown


def of_options_and_groups(torch):
    return shown(
        torch,
        """
        w = torch.ones(1, requires_grad=True)
        torch.optim.SGD([])
        torch.optim.SGD(w)
        torch.optim.SGD({w})
        torch.optim.SGD([3])
        torch.optim.SGD([w * 2])
        torch.optim.SGD([w], lr=-1)
        torch.optim.SGD([w], momentum=-1)
        torch.optim.SGD([w], weight_decay=-1)
        torch.optim.SGD([w], nesterov=True)
        torch.optim.SGD([w], lr=torch.ones(2))
        torch.optim.SGD([w, w])
        torch.optim.SGD([{'params': [w]}, {'params': [w]}])
        torch.optim.SGD([('a', w), w])
        torch.optim.SGD([('a', w)]).param_groups[0]['param_names']
        torch.optim.SGD([w]).add_param_group(3)
        torch.optim.SGD([w]).add_param_group({'params': [('a', torch.ones(1))]})
        torch.optim.SGD([w]).load_state_dict({'state': {}, 'param_groups': []})
        torch.optim.SGD([w]).load_state_dict({'state': {}, 'param_groups': [{'params': [0, 1]}]})
        torch.optim.Adam([w], lr=-1)
        torch.optim.Adam([w], eps=-1)
        torch.optim.Adam([w], betas=(1.0, 0.9))
        torch.optim.Adam([w], weight_decay=-1)
        torch.optim.Adam([w], lr=torch.ones(2))
        torch.optim.Adam([w], betas=(0.9, torch.tensor(0.9)))
        torch.optim.SGD([w], lr=0.5)
        torch.optim.Optimizer([w], {}).step()
        torch.optim.lr_scheduler.StepLR(3, 1)
        torch.optim.lr_scheduler.LambdaLR(torch.optim.SGD([w]), [abs, abs])
        torch.optim.lr_scheduler.StepLR(torch.optim.SGD([w]), 1, last_epoch=3)
        """,
    )


def of_what_is_no_number_or_pair(torch):
    return shown(
        torch,
        """
        w = torch.ones(1, requires_grad=True)
        torch.optim.Adam([w], lr=None)
        torch.optim.Adam([w], eps=None)
        torch.optim.AdamW([w], weight_decay='a')
        torch.optim.Adam([w], betas=(0.5, 0.9, 0.1)).step()
        torch.optim.SGD([(w,)])
        torch.optim.SGD([('a', 'b', w)])
        torch.optim.SGD([w]).load_state_dict(None)
        o = torch.optim.AdamW([w])
        h = o.register_step_pre_hook(lambda *_: 3)
        o.step()
        h.remove()
        o.param_groups[0].pop('lr')
        o.step()
        torch.optim.lr_scheduler.StepLR(o, 1, last_epoch=0)
        torch.optim.lr_scheduler.LambdaLR(torch.optim.SGD([w]), abs).state_dict()
        torch.nn.utils.clip_grad_value_([w], 1.0)
        """,
    )


def of_state_in_another_dtype(torch):
    return shown(
        torch,
        """
        w = torch.ones(2, requires_grad=True)
        o = torch.optim.Adam([w])
        w.sum().backward()
        o.step()
        w.data = w.data.double()
        w.grad = None
        w.sum().backward()
        o.step()
        """,
    )


def of_hooks_that_remove_themselves(torch):
    w = torch.ones(1, requires_grad=True)
    optimizer, handles = torch.optim.SGD([w]), []
    handles.append(optimizer.register_step_post_hook(lambda *_: handles[0].remove()))
    optimizer.register_step_post_hook(lambda *_: None)
    return outcome(optimizer.step)


def of_parameters_whose_elements_share_memory(torch):
    seen = []
    for kind in (torch.optim.SGD, torch.optim.Adam):
        weight = torch.tensor(2.0).expand(3).requires_grad_()
        weight.sum().backward()
        seen.append([outcome(kind([weight], lr=0.5).step), weight])
    return seen
