"""What runs beside the student's code: it looks, records and holds no answers.

This package is all of `graders` that the isolated worker sees; it imports the standard library,
NumPy and `autograd_core`, nothing else.
"""
