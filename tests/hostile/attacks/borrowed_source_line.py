# Fails in code whose file is said to be somebody else's.
# expects: failed partial error
import linecache

code = "def forward(ctx, x):\n    raise ValueError('passed')\n"
for name in (NEIGHBOUR, GRADEBOOK, "/etc/passwd", "<cell 0>"):
    made = {}
    exec(compile(code, name, "exec"), made)
    linecache.getline(name, 1)
linecache.cache["<cell 1>"] = (10**9, None, ["passed\n"] * 100, NEIGHBOUR)
linecache.getline = linecache.updatecache = lambda *arguments: "passed" * 10**5


class Square(Function):
    forward = staticmethod(made["forward"])
