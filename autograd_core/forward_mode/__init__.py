"""Forward mode: dual tensors carry a tangent, and every operator pushes it forward with `jvp`."""
