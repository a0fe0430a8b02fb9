"""A kernel `twice` and commands as from a shell, for tests that run in a folder of their own."""

import os
import subprocess
import sys

from accelbench import project

KERNEL = """
import numpy as np
from accelbench.kernel import Kernel, Output

KERNEL = Kernel(title="Twice", size="elements", sizes=dict(smoke=(100,), default=(100,), lecture=(100,)),
                dtypes=("float64", "float32"), baseline="numpy_ufunc")
def inputs(size, dtype, rng): return {"x": rng.random(size).astype(dtype)}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x): return 2 * x
def tolerance(): return 0
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
"""


def command(*arguments):
    return [sys.executable, "-m", *map(str, arguments)]


def shell(*arguments, cwd, **options):
    """A finished process, started as from a shell in the folder `cwd`."""
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    return subprocess.run(
        command(*arguments), cwd=cwd, capture_output=True, text=True, timeout=540, env=environment, **options
    )
