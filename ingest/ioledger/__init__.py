"""Storage benchmark results you can trace to the file they came from."""

import os

__version__ = "0.1.0"

# Nothing here multiplies matrices, and the threads that numpy's BLAS keeps for it wait by spinning when they start: a
# tenth of a second of processor time, which the processes that read would need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
