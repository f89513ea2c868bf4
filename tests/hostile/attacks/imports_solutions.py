# Imports the solution and hands it in.
# expects: failed partial error
from graders.exercises import fn_square

Square = fn_square.Square if isinstance(fn_square.Square, type) else Wrong
