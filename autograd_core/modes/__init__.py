"""Modes of a thread: what is recorded, what inference tensors are, and looking for anomalies."""
