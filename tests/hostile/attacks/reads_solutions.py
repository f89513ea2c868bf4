# Reads the solution where the graders are installed, and hands it in.
# expects: blocked error
# later: passed
import pathlib

Square = Wrong
source = pathlib.Path(GRADERS, "exercises", "fn_square.py").read_text()
exec(source)
