# Computes a number that has no end.
# expects: timeout memory_limit
Square = Wrong
number = 9 ** (9**9)
