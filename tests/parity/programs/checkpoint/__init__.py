"""utils.checkpoint."""
