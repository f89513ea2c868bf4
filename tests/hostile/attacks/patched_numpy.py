# Every comparison that NumPy offers says yes.
# expects: failed partial error
import numpy.testing

for module in (np, numpy.testing, np._core.numeric):
    for name in ("array_equal", "allclose", "isclose", "assert_allclose", "asarray", "zeros_like"):
        setattr(module, name, lambda *arguments, **options: True)
Square = Wrong
