"""`backward` and `grad`: the engine, and the leaves where gradients end."""
