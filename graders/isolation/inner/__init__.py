"""What runs inside the isolated process before any student's code, and locks the door.

Imports the standard library alone, and nothing of the graders, so that workers may see it.
"""
