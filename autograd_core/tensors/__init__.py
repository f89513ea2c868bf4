"""What tensors are besides memory and history: dtypes, sizes, devices, and how Python sees them."""
