"""Reading files from strangers: folders, archives, notebooks and scripts in any state."""


class Unreadable(Exception):  # noqa: N818  (the state of a student's file, not the grader's error)
    """The file cannot be read as a submission; the message is for its student."""
