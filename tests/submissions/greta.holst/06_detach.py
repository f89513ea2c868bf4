import autograd_core as torch

dz_dx1 = 0.3324
after = {"x": [1, 2], "backward": "works"}


def stop_gradient_product(x):
    copy = x.clone()
    return copy * x


def straight_through_round(x):
    rounded = torch.round(x)
    return rounded


def to_numpy(t):
    t = t.detach()
    array = t.numpy()
    return array


def running_loss(losses):
    """Run backward for each loss; return the mean of the losses so far, after each of them."""
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total = total + loss
        history.append(total.item() / (len(history) + 1))
    return history
