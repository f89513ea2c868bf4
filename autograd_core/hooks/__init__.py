"""Hooks: on gradients, and on saved tensors."""
