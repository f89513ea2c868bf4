"""Hooks on tensors and nodes."""
