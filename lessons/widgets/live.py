"""When a lesson shows widgets, and when figures and text alone; the cards of `check` ask, too."""

from graders.live import STATIC, is_live

__all__ = ["STATIC", "is_live"]
