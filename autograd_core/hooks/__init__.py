"""Hooks: on gradients, and on what is kept for backward."""
