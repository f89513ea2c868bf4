"""The lessons: notebooks in reading order, and what they show (`lessons.widgets`)."""
