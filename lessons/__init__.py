"""The lessons: notebooks in reading order, and the figures and cards in them (`widgets`)."""
