"""The messages between a nursery and the grader, which alone holds the socket's other end."""

import struct

READY = b"r"
"""From the nursery: everything is imported."""

START = b"s"
"""From the grader, with three descriptors: a request, a channel for events, an error stream."""

END = b"e"
"""From the grader: end the worker now. Ignored when there is none."""

STATUS = struct.Struct("=i")
"""From the nursery when a worker has ended: its exit status, as in a shell 128 plus a signal."""
