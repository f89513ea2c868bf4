"""Making tensors, converting, showing and copying them."""
