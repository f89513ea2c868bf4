# Asks for 4 GiB, once it is looked at.
# expects: memory_limit
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.ones(2**30)
