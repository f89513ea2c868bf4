# Climbs out of the working folder by relative paths.
# expects: blocked error
import os

Square = Wrong
os.chdir("/")
print(open("../../../../../../etc/passwd").read())
