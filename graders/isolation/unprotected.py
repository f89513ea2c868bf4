"""No isolation: students' code runs as the grader's user, with limits on resources only."""

from __future__ import annotations

import sys

from graders.isolation.backend import Isolation, resources, start_command, view_or_unavailable
from graders.isolation.inner.confine import Policy
from graders.isolation.limits import Limits


class Unprotected(Isolation):
    """For submissions that are trusted, or for use inside a virtual machine made for grading."""

    name = "none"
    limitations = ("students' code can read, change and send whatever the grader's user can",)

    def __init__(self) -> None:
        """Raises IsolationUnavailable when the installation is incomplete."""
        self.view = view_or_unavailable()

    def command(self, limits: Limits, control: int) -> list[str]:
        """See `Isolation.command`."""
        linux = sys.platform.startswith("linux")
        policy = Policy(resources=resources(limits), linux=linux)
        return start_command(self.view, policy, control, limits)
