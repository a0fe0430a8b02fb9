"""Code of a worker process. Its modules import nothing from accelbench.measure."""

import time

_begin = time.perf_counter()
import numpy  # noqa: E402, F401

NUMPY_IMPORT_S = time.perf_counter() - _begin
