"""How fast autograd_core is, side by side with others: `python -m tests.benchmarks`."""
