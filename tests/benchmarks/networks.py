"""A step of training: two layers with a ReLU between, loss, backward, and SGD's update."""

from types import ModuleType
from typing import NamedTuple

import numpy as np

from .contestants import Maker, Runner, field

FEATURES, CLASSES = 784, 10
LR = 0.01
NAMES = ("0.weight", "0.bias", "2.weight", "2.bias")


class Task(NamedTuple):
    """A network's size, its batch, and what it is trained on."""

    hidden: int
    batch: int
    loss: str

    def parameters(self) -> list[np.ndarray]:
        """The start that all contestants share: weights (out, in) and biases (out)."""
        rng = np.random.default_rng(0)
        shapes = ((self.hidden, FEATURES), self.hidden, (CLASSES, self.hidden), CLASSES)
        return [(rng.normal(size=shape) / 20).astype(np.float32) for shape in shapes]

    def data(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs, and the targets that the loss takes."""
        rng = np.random.default_rng(1)
        inputs = rng.normal(size=(self.batch, FEATURES)).astype(np.float32)
        if self.loss == "cross_entropy":
            return inputs, rng.integers(0, CLASSES, self.batch)
        return inputs, rng.normal(size=(self.batch, CLASSES)).astype(np.float32)


def training(hidden: int, batch: int, loss: str) -> dict[str, Maker]:
    """The contestants at one task."""
    task = Task(hidden, batch, loss)
    return field(lambda torch: in_torch(torch, task), lambda: in_hips(task), lambda: in_numpy(task))


def in_torch(torch: ModuleType, task: Task) -> Runner:
    """The step as everybody writes it in PyTorch."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Linear(FEATURES, task.hidden), nn.ReLU(), nn.Linear(task.hidden, CLASSES)
    )
    start = zip(NAMES, task.parameters(), strict=True)
    model.load_state_dict({name: torch.tensor(value) for name, value in start})
    inputs, targets = map(torch.tensor, task.data())
    criterion = {"mse": nn.MSELoss, "cross_entropy": nn.CrossEntropyLoss}[task.loss]()
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)

    def step() -> None:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()

    return Runner(step, lambda: list(model.parameters()))


def in_hips(task: Task) -> Runner:
    """The step as a function of the parameters, which `grad` differentiates."""
    import autograd
    import autograd.numpy as anp

    inputs, targets = task.data()
    rows = np.arange(task.batch)

    def mse(output):
        difference = output - targets
        return anp.mean(difference * difference)

    def cross_entropy(output):
        shifted = output - anp.max(output, axis=1, keepdims=True)
        logarithms = shifted - anp.log(anp.sum(anp.exp(shifted), axis=1, keepdims=True))
        return -anp.mean(logarithms[rows, targets])

    criterion = {"mse": mse, "cross_entropy": cross_entropy}[task.loss]

    def loss(parameters):
        weight1, bias1, weight2, bias2 = parameters
        hidden = anp.maximum(anp.dot(inputs, weight1.T) + bias1, 0)
        return criterion(anp.dot(hidden, weight2.T) + bias2)

    gradient = autograd.grad(loss)
    parameters = task.parameters()

    def step() -> None:
        for parameter, grad in zip(parameters, gradient(parameters), strict=True):
            parameter -= LR * grad

    return Runner(step, lambda: parameters)


def in_numpy(task: Task) -> Runner:
    """The step with the gradients worked out on paper, in place where the formulas allow it."""
    inputs, targets = task.data()
    weight1, bias1, weight2, bias2 = parameters = task.parameters()
    rows = np.arange(task.batch)

    def mse(output):
        """The loss, and its gradient."""
        difference = output - targets
        loss = np.square(difference).mean()
        return loss, difference * np.float32(2 / difference.size)

    def cross_entropy(output):
        """The loss, and its gradient: what softmax gives too much."""
        output -= output.max(axis=1, keepdims=True)
        grad = np.exp(output)
        total = grad.sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) - output[rows, targets]).mean()
        grad /= total
        grad[rows, targets] -= 1
        grad /= task.batch
        return loss, grad

    criterion = {"mse": mse, "cross_entropy": cross_entropy}[task.loss]

    def step() -> None:
        hidden = inputs @ weight1.T
        hidden += bias1
        np.maximum(hidden, 0, out=hidden)
        output = hidden @ weight2.T
        output += bias2

        _, grad_output = criterion(output)
        grad_hidden = grad_output @ weight2
        grad_hidden *= hidden > 0
        gradients = (
            grad_hidden.T @ inputs,
            grad_hidden.sum(axis=0),
            grad_output.T @ hidden,
            grad_output.sum(axis=0),
        )
        for parameter, grad in zip(parameters, gradients, strict=True):
            grad *= LR
            parameter -= grad

    return Runner(step, lambda: parameters)
