"""Exercises, their checks, and everything that turns students' work into points and feedback."""

from graders.check import check
from graders.progress import progress, reset_progress

__all__ = ["check", "progress", "reset_progress"]
