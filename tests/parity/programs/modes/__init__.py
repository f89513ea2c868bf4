"""Grad modes, inference mode, anomaly mode."""
