# Returns every kind of number that there is, some that are none, and 2^40 of them to be summed.
# expects: failed partial error memory_limit timeout
KINDS = ["?", "b", "u8", "f2", "f8", "g", "F", "G", "O", "S5", "U5", "M8[s]", "m8[s]", "V8", ">f4"]


class Square(Function):
    at = 0

    @staticmethod
    def forward(ctx, x):
        Square.at = (Square.at + 1) % len(KINDS)
        array = np.zeros(x.shape, KINDS[Square.at])
        try:
            return torch.from_numpy(array)
        except Exception:
            result = x * 0
            result.numpy().dtype = np.dtype("i4")
            return result

    @staticmethod
    def backward(ctx, grad_output):
        return torch.from_numpy(np.lib.stride_tricks.as_strided(np.zeros(1), (2**20, 2**20), (0, 0)))
