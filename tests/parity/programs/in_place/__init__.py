"""Operators that change their operand."""
