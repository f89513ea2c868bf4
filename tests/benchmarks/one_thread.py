"""One thread for everyone. Import this before NumPy: its libraries read the limits once."""

import os

LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

for limit in LIMITS:
    os.environ[limit] = "1"
