"""Reading files from strangers: folders, archives, notebooks, scripts, whatever their state."""


class Unreadable(Exception):  # noqa: N818  (a state of somebody's file, not a failure of ours)
    """The file cannot be read as a submission; the message is for its student."""
