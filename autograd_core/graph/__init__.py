"""The state of a running backward, and what nodes show of themselves."""
