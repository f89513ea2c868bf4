"""What runs inside the isolated process before any student's code, and confines it.

Workers may read this code: it must not import any part of the graders that knows answers.
"""
