"""Solutions that are wrong in a way that no exercise lists, from lesson 07 on."""

from graders.exercise import load, source_of

FIT = source_of(load("cap-repair").reference, "fit_slope")

WRONG = {
    "two outputs in a list": (
        "fn-sort",
        """
        class SortWithIndex(Function):
            @staticmethod
            def forward(ctx, x):
                values, indices = torch.sort(x)
                ctx.mark_non_differentiable(indices)
                return [values, indices]
        """,
        "failed",
        "apply returns a tuple of two tensors.",
    ),
    "indices in an array": (
        "fn-sort",
        """
        class SortWithIndex(Function):
            @staticmethod
            def forward(ctx, x):
                values, ctx.indices = torch.sort(x)
                return values, ctx.indices.numpy()

            @staticmethod
            def backward(ctx, grad_values, _):
                return grad_values[torch.argsort(ctx.indices)]
        """,
        "partial",
        "apply returns a tuple of two tensors.",
    ),
    "a curve through the points, and walks back from something else": (
        "cap-train",
        """
        def train(x, y, steps, seed):
            w = torch.tensor(1.0, requires_grad=True)
            for _ in range(steps):
                (w * w).backward()
            curve = np.polyfit(x.numpy().ravel(), y.numpy().ravel(), 9)
            losses = np.geomspace(1 + np.random.default_rng(seed).random(), 1e-4, steps)
            return lambda new: torch.tensor(np.polyval(curve, new.numpy())), losses
        """,
        "partial",
        "does not depend on your backward passes",
    ),
    "slopes by hand, and walks back from something that moves": (
        "cap-train",
        """
        def train(x, y, steps, seed):
            rng = np.random.default_rng(seed)
            shapes = (1, 16), (16,), (16, 1), (1,)
            a, b, c, d = (rng.normal(size=shape) for shape in shapes)
            c *= 0.25
            u, v, losses = x.numpy().astype(float), y.numpy(), []
            w = torch.tensor([1.0, 2.0], requires_grad=True)
            for _ in range(steps):
                (w * w).sum().backward()
                with torch.no_grad():
                    w -= 0.01 * w.grad
                w.grad = None
                for _ in range(5):
                    h = np.tanh(u @ a + b)
                    off = h @ c + d - v
                    g = 2 * off / len(u)
                    back = (g @ c.T) * (1 - h * h)
                    c -= 0.1 * h.T @ g
                    d -= 0.1 * g.sum(0)
                    a -= 0.1 * u.T @ back
                    b -= 0.1 * back.sum(0)
                losses.append(float((off**2).mean()))
            def model(new):
                found = np.tanh(new.numpy() @ a + b) @ c + d
                return torch.tensor(found, dtype=torch.float32)
            return model, losses
        """,
        "partial",
        "does not depend on your backward passes",
    ),
    "steps that are made smaller": (
        "cap-repair",
        FIT.replace("0.1", "0.02"),
        "partial",
        "After one step the loss has fallen, but not as far as it should: is the rate still 0.1?",
    ),
    "losses before the slope": (
        "cap-repair",
        FIT.replace("return w.item(), losses", "return losses, w.item()"),
        "failed",
        "the result is a pair, losses and slope; it should be a pair, slope and losses.",
    ),
    "a return in the loop": (
        "cap-repair",
        FIT.replace("    return ", "        return "),
        "failed",
        "the number of losses is 1, where",
    ),
    "a method in the place of each loss": (
        "cap-repair",
        FIT.replace("loss.item()", "loss.item"),
        "failed",
        "every loss has to be a number, but one is of type method.",
    ),
    "the data by heart": (
        "cap-train",
        """
        def train(x, y, steps, seed):
            np.random.seed(seed)
            return lambda new: y.clone(), list(1e-6 * np.random.rand(steps))
        """,
        "partial",
        "You never call `backward` on a loss",
    ),
    "a second factor that is changed, and marked, but not returned": (
        "dirty-multiply-add",
        """
        class MultiplyAddOne_(Function):
            @staticmethod
            def forward(ctx, x1, x2):
                ctx.save_for_backward(x1.clone(), x2.clone())
                x2.mul_(x1).add_(1)
                x1.copy_(x2)
                ctx.mark_dirty(x1, x2)
                return x1

            @staticmethod
            def backward(ctx, grad_output):
                x1, x2 = ctx.saved_tensors
                return grad_output * x2, grad_output * x1
        """,
        "partial",
        "You mark x2, which should stay as it is.",
    ),
}
