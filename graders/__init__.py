"""Exercises, their checks, and everything that turns students' work into points and feedback."""

from graders.check import check

__all__ = ["check"]
