# Leaves numbers and modes of the engine in a state in which it computes something else.
# expects: failed partial error blocked
# later: any
torch.inference_mode().__enter__()
torch.set_default_dtype(torch.float16)
torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: torch.ones_like(t)).__enter__()
np.seterr(all="ignore")
Square = Wrong
