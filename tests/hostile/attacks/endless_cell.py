# Never comes to an end.
# expects: timeout
Square = Wrong
while True:
    pass
