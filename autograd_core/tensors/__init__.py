"""Properties of tensors besides memory and history: dtypes, sizes, devices, Python's protocols."""
