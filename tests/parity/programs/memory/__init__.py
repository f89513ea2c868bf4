"""Memory: what shares it, how results lie in it, what grows."""
