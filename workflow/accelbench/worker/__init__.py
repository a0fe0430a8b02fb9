"""The code of a worker process. It imports NumPy first, to time that import, and nothing of the coordinator's."""

import time

_begin = time.perf_counter()
import numpy  # noqa: E402, F401

NUMPY_IMPORT_S = time.perf_counter() - _begin
