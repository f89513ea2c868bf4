# Replaces what tensors do: gradients come from the engine's own product.
# expects: failed partial error
torch.Tensor.grad = property(lambda self: self.detach() * 2, lambda self, value: None)
torch.Tensor.numpy = lambda self: np.zeros(3)
torch.Tensor.backward = lambda self, *arguments, **options: None
torch.autograd.grad = lambda *arguments, **options: [each * 2 for each in arguments[1]]
Square = Wrong
