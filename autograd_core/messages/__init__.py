"""What is said in PyTorch's words: of arguments that do not fit, and of what this package lacks."""
