"""What runs in the same process as the student's code: it observes, records and holds no answers.

Of `graders` the isolated worker sees only this package and `graders.isolation.inner`. It imports
the standard library, NumPy and `autograd_core`, nothing else.
"""
