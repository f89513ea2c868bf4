"""What runs inside the isolated process before any student's code: it locks the door behind itself.

Imports the standard library alone, and nothing of the graders, so that it can be shown to the worker.
"""
