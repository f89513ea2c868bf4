"""What is allowed with memory, views, gradients and arguments, and the errors for what is not."""
