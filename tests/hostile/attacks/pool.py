# Computes in a pool of processes.
# expects: blocked error
import multiprocessing

Square = Wrong
with multiprocessing.Pool(4) as pool:
    print(pool.map(abs, range(4)))
