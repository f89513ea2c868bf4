"""Forward mode: dual tensors and their tangents."""
