"""Code of a worker process. It imports NumPy first, to time this import, and nothing from accelbench.measure."""

import time

_begin = time.perf_counter()
import numpy  # noqa: E402, F401

NUMPY_IMPORT_S = time.perf_counter() - _begin
