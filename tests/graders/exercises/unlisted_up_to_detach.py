"""Solutions that are wrong in a way that no exercise lists, up to lesson 06."""

DUAL = """
import math


class Dual:
    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.tangent + other.tangent)
        return Dual(self.value + other, self.tangent)

    def __mul__(self, other):
        {numbers}
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    __radd__, __rmul__ = __add__, __mul__

    def log(self):
        return {log}

    def sin(self):
        return Dual(math.sin(self.value), math.cos(self.value) * self.tangent)
"""
LOG = "Dual(math.log(self.value), self.tangent / self.value)"

WRONG = {
    "duals that take only floats": (
        "graph-dual",
        DUAL.format(
            numbers="other = Dual(other, 0.0) if isinstance(other, float) else other", log=LOG
        ),
        "partial",
        "the result is an error, but none for x * y; it should be a Dual with value and tangent.",
    ),
    "a logarithm that is no dual": (
        "graph-dual",
        DUAL.format(
            numbers="other = other if isinstance(other, Dual) else Dual(other, 0)",
            log="math.log(self.value)",
        ),
        "partial",
        "For x.log(), the result is a float; it should be a Dual with value and tangent.",
    ),
    "steps to the side that are too long": (
        "welcome-slope",
        "slope = lambda x: ((x + 0.01) ** 2 - x**2) / 0.01",
        "failed",
        "All of your slopes are off by 0.01. If you take a step to one side",
    ),
    "the slope at one place, everywhere": (
        "welcome-slope",
        "slope = lambda x: 6",
        "failed",
        "You return the same number for every x.",
    ),
    "a slope that is flat on one side": (
        "welcome-slope",
        "slope = lambda x: 2 * x if x > 0 else 0",
        "partial",
        "The slope is right for positive numbers. For a number, the result is 0, where",
    ),
    "another loss, and a gradient that fits it": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            x = torch.tensor(data).float().requires_grad_()
            loss = x.sum() ** 2
            loss.backward()
            return loss.item(), x.grad
        """,
        "failed",
        "Begin with the loss, which is not the sum of the squares of the data.",
    ),
    "only the first two places are looked at": (
        "reqgrad-sequential",
        """
        def freeze_first_layer(model):
            first = model[0] if isinstance(model[0], torch.nn.Linear) else model[1]
            first.requires_grad_(False)
        """,
        "partial",
        "for a model that begins with Tanh, the weight of the first Linear requires grad.",
    ),
    "a loss of several numbers": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            x = torch.tensor(data).float().requires_grad_()
            loss = x * x
            loss.backward()
            return loss, x.grad
        """,
        "failed",
        "A backward pass starts from a single number",
    ),
    "a sum that is the first operand, changed": (
        "graph-dual",
        DUAL.format(numbers="other = other if isinstance(other, Dual) else Dual(other, 0)", log=LOG)
        + """
    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other, 0)
        self.value += other.value
        self.tangent += other.tangent
        return self
""",
        "partial",
        "x and y stay as they are. Your operation changes a dual that it was given",
    ),
    "gradients that are zeroed first, also where there are none": (
        "nograd-sgd",
        """
        @torch.no_grad()
        def sgd_step(parameters, lr):
            for p in parameters:
                p.grad.zero_()
                p.sub_(lr * p.grad)
        """,
        "failed",
        "If your step uses the gradient, check whether it is still there at that moment.",
    ),
    "duals that cannot be computed with at all": (
        "graph-dual",
        """
        class Dual:
            def __init__(self, value, tangent):
                self.value, self.tangent = value, tangent

            __add__ = __mul__ = None
        """,
        "failed",
        "The code stopped with `TypeError`: 'NoneType' object is not callable.",
    ),
    "sums that are no duals, and no plain numbers on either side": (
        "graph-dual",
        DUAL.format(numbers="other = other if isinstance(other, Dual) else Dual(other, 0)", log=LOG)
        + """
    def __add__(self, other):
        return self.value + other.value, self.tangent + other.tangent

    def __radd__(self, other):
        return NotImplemented
""",
        "partial",
        "For x + y, the result is a tuple; it should be a Dual with value and tangent.",
    ),
    "nothing where a walk should be": (
        "leaf-walk",
        "find_leaves = None",
        "failed",
        "The code stopped with `TypeError`: 'NoneType' object is not callable.",
    ),
    "a list that append has made None": (
        "leaf-walk",
        """
        def find_leaves(t):
            if t.grad_fn is None:
                return [t] if t.requires_grad else []
            leaves, todo = [], [t.grad_fn]
            while todo:
                node = todo.pop()
                if node is not None:
                    if hasattr(node, "variable"):
                        leaves = leaves.append(node.variable)
                    todo += [below for below, _ in node.next_functions]
            return leaves
        """,
        "failed",
        "Methods such as `append` and `add` change what they belong to, and return None.",
    ),
    "one random number for all": (
        "leaf-missing-grad",
        "make_weight = lambda n: torch.full((n,), 0.1 * torch.rand(()).item(), requires_grad=True)",
        "partial",
        "All numbers in the weight are the same, where",
    ),
    "a weight in a row": (
        "leaf-missing-grad",
        "make_weight = lambda n: (torch.randn(1, n) * 0.1).requires_grad_()",
        "failed",
        "The shape of the weight is (1, ",
    ),
    "three numbers in a dict": (
        "graph-reverse",
        """
        def reverse_mode(x1, x2):
            return {"z": x1, "dz_dx1": x2, "dz_dx2": x1}
        """,
        "failed",
        "the result is a dict; it should be three numbers.",
    ),
    "zeros, in which nothing moves as quickly as z does": (
        "graph-reverse",
        """
        def reverse_mode(x1, x2):
            return 0.0, 0.0, 0.0
        """,
        "failed",
        "the value z is 0, where",
    ),
    "the derivative towards x2 times the wrong factor": (
        "graph-reverse",
        """
        def reverse_mode(x1, x2):
            y1 = x1 * x2
            back = np.sin(y1) / y1 + np.log(y1) * np.cos(y1)
            return np.log(y1) * np.sin(y1), back * x2, back * x2
        """,
        "partial",
        "the derivative dz_dx2 is twice what it should be: 0.3324, where 0.1662 is expected.",
    ),
    "a tape of which only the inputs are told": (
        "graph-tape",
        """
        def sweep_back(tape):
            grads = {tape[-1][0]: 1.0}
            for name, sources in reversed(tape):
                for source, slope in sources:
                    grads[source] = grads.get(source, 0.0) + grads[name] * slope
                del grads[name]
            return grads
        """,
        "failed",
        "For a chain, the list of its names is x; it should be x, y, z.",
    ),
    "sums that begin with nothing": (
        "graph-tape",
        """
        def sweep_back(tape):
            grads = {tape[-1][0]: 1.0}
            for name, sources in reversed(tape):
                for source, slope in sources:
                    grads[source] += grads[name] * slope
            return grads
        """,
        "failed",
        "what is in yours for a name where nothing has arrived yet?",
    ),
    "a step in the place of its name": (
        "graph-tape",
        """
        def sweep_back(tape):
            grads = {tape[-1]: 1.0}
            for name, sources in reversed(tape):
                for source, slope in sources:
                    grads[source] = grads.get(source, 0.0) + grads[name] * slope
            return grads
        """,
        "failed",
        "The code stopped with `TypeError`: unhashable type: 'list'.",
    ),
    "two derivatives in a pair": (
        "graph-reverse",
        """
        def reverse_mode(x1, x2):
            return x1, (x2, x1)
        """,
        "failed",
        "the result is a tuple with a tuple in it; it should be three numbers.",
    ),
    "a gradient that moves in place of the parameter": (
        "nograd-sgd",
        """
        def sgd_step(parameters, lr):
            with torch.no_grad():
                for p in parameters:
                    if p.grad is not None:
                        p.grad -= lr * p
        """,
        "failed",
        "After your step the caller's parameters are where they were.",
    ),
    "the way up, with gradients that stay": (
        "nograd-sgd",
        """
        @torch.no_grad()
        def sgd_step(parameters, lr):
            for p in parameters:
                if p.grad is not None:
                    p += lr * p.grad
        """,
        "failed",
        "Your step is as long as it should be, and goes in the opposite direction.",
    ),
    "a step that is shared among the parameters": (
        "nograd-sgd",
        """
        @torch.no_grad()
        def sgd_step(parameters, lr):
            parameters = list(parameters)
            for p in parameters:
                if p.grad is not None:
                    p -= lr * p.grad / len(parameters)
                    p.grad = None
        """,
        "partial",
        "Your step has the right direction, and 0.5 times the length that it should have.",
    ),
    "a gradient that is set to one": (
        "nograd-sgd",
        """
        def sgd_step(parameters, lr):
            with torch.no_grad():
                for p in parameters:
                    if p.grad is not None:
                        p -= lr * p.grad
                        p.grad = torch.ones_like(p)
        """,
        "partial",
        "the gradient after the step is a new one; it should be cleared.",
    ),
    "a mode that is turned over twice": (
        "nograd-evaluate",
        """
        def evaluate(model, x):
            torch.set_grad_enabled(not torch.is_grad_enabled())
            try:
                return model(x)
            finally:
                torch.set_grad_enabled(not torch.is_grad_enabled())
        """,
        "failed",
        "recording off before, recording is on while the model runs.",
    ),
    "another error in place of the model's": (
        "nograd-evaluate",
        """
        def evaluate(model, x):
            try:
                with torch.no_grad():
                    return model(x)
            except Exception:
                raise RuntimeError("the evaluation has failed")
        """,
        "partial",
        "the error that reaches the caller is RuntimeError; it should be ValueError.",
    ),
    "a loss alone": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            return sum(number * number for number in data)
        """,
        "failed",
        "the result is a float; it should be two things.",
    ),
    "the last layer alone": (
        "retain-layers",
        """
        def layer_gradients(layers, x):
            for layer in layers:
                x = layer(x)
            x.retain_grad()
            x.sum().backward()
            return [x.grad]
        """,
        "partial",
        "the number of gradients is 1, where",
    ),
    "a copy that was asked in place of the data": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            x = torch.tensor(data, dtype=torch.float32)
            y = x.clone().requires_grad_()
            loss = (y * y).sum()
            loss.backward()
            return loss.item(), x.grad
        """,
        "failed",
        "another tensor requires grad, such as the loss or a copy",
    ),
    "half precision, made wide at the end": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            x = torch.tensor(data).half().requires_grad_()
            loss = (x * x).sum()
            loss.backward()
            return loss.item(), x.grad.float()
        """,
        "partial",
        "the gradient has only the three digits of half precision.",
    ),
    "half precision": (
        "reqgrad-repair",
        """
        def loss_and_grad(data):
            x = torch.tensor(data, dtype=torch.float16, requires_grad=True)
            loss = (x * x).sum()
            loss.backward()
            return loss.item(), x.grad
        """,
        "partial",
        "the gradient has only the three digits of half precision.",
    ),
}
