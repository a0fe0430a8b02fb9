"""What runs inside a worker process; imports nothing of the coordinator's, and NumPy first, to time that import."""

import time

_begin = time.perf_counter()
import numpy  # noqa: E402, F401

NUMPY_IMPORT_S = time.perf_counter() - _begin
