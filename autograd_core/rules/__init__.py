"""What must hold of memory, views, gradients and arguments, and how it is said that it does not."""
