"""What is around a walk through the graph, and what its nodes show of themselves."""
