# Returns a number that is seen a thousand million times, and memory that belongs to nobody.
# expects: failed partial error memory_limit
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        wide = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (1 << 20, 1 << 10), (0, 0))
        return torch.from_numpy(wide)

    @staticmethod
    def backward(ctx, grad_output):
        far = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (3,), (1 << 40,))
        return torch.from_numpy(far)
