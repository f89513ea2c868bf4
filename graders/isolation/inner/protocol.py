"""The few words between a nursery and the grader, who alone has the other end of its socket."""

import struct

READY = b"r"
"""The nursery's: everything is imported."""

START = b"s"
"""The grader's, with the descriptors of a request, a channel for events and an error stream."""

END = b"e"
"""The grader's: end the worker now. Ignored when there is none."""

STATUS = struct.Struct("=i")
"""The nursery's, when a worker has ended: its status as of a shell, 128 and more for a signal."""
