# Reads everybody's marks.
# expects: blocked error
Square = Wrong
print(open(GRADEBOOK, "rb").read())
