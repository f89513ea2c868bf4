"""Grad modes, inference mode with its tensors, and anomaly mode."""
