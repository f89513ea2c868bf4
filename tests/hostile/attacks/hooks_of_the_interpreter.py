# Answers wherever the interpreter asks somebody: hooks for errors, classes, imports, display, warnings.
# expects: failed partial error blocked
# later: any
import builtins
import sys
import warnings


def right(*arguments, **options):
    raise SystemExit("passed")


sys.excepthook = sys.unraisablehook = sys.displayhook = sys.breakpointhook = right
warnings.showwarning = warnings.warn = warnings.warn_explicit = right
builtins.__build_class__ = right
sys.set_asyncgen_hooks(right, right)
sys.setswitchinterval(1e-9)
sys.setrecursionlimit(60)
sys.set_int_max_str_digits(640)
Square = Wrong
