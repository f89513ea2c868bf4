"""What nodes save for backward, and who may look at it or pack it."""
