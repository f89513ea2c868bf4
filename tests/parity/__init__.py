"""Small programs that run in autograd_core and in PyTorch, and must be observed to do the same."""
