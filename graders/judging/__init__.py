"""From what was observed to what is found: beside the reference, and beside wrong ideas."""
