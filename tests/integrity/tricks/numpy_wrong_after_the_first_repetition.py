"""Is correct in its first process. Later processes are correct in their first call only."""

import os
import tempfile
from pathlib import Path

import numpy as np

mark, calls = Path(tempfile.gettempdir(), "mark"), []
first = not mark.exists() or mark.read_text() == str(os.getpid())
mark.write_text(str(os.getpid()))


def run(x, y):
    calls.append(1)
    np.multiply(x, 2.0 if first or len(calls) == 1 else 3.0, out=y)
