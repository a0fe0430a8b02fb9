"""Tests of cuda.core, cuda.compute, Warp and numba-cuda-mlir on a real GPU: results, and times of cuda.compute.

backends/test_on_gpu.py tests the sessions of these libraries.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from accelbench import backends
from accelbench.worker.problem import Call

ROOT = Path(__file__).parents[2]
MODULES = {
    "cuda_core": "cuda.core",
    "cuda_compute": "cuda.compute",
    "warp": "warp",
    "numba_cuda_mlir": "numba_cuda_mlir",
}
UNSUPPORTED = ("mlir_vectorize", "mlir_implicit", "mlir_reduce")  # docs/libraries.md gives the reasons
BIG = 100_000_000  # number of elements
IN_A_ROW = 20


def missing(module):
    try:
        return importlib.util.find_spec(module) is None
    except ModuleNotFoundError:  # raised if the parent package is missing
        return True


def names(backend):
    skip = pytest.mark.skipif(missing(MODULES[backend]), reason=f"{MODULES[backend]} is not installed")
    files_of = getattr(backends.modules()[backend], "FILES_OF", backend)
    files = sorted((ROOT / "kernels").glob(f"*/{files_of}_*.py"))
    found = [f"{file.parent.name}/{file.stem.replace(files_of, backend)}" for file in files]
    return [pytest.param(name, marks=skip) for name in found if not name.endswith(UNSUPPORTED)]


@pytest.mark.gpu
@pytest.mark.parametrize("name", [name for backend in MODULES for name in names(backend)])
def test_right_on_a_gpu(name, tmp_path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "workflow"), *filter(None, sys.path)])}
    (tmp_path / "kernels").symlink_to(ROOT / "kernels")
    command = [sys.executable, "-m", "accelbench", "check", name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    said = done.stdout + done.stderr
    of_gpus = [line for line in said.splitlines() if "NVIDIA" in line]
    assert of_gpus, said
    assert not any(" wrong, " in line for line in of_gpus), said
    assert any(": right (" in line for line in of_gpus), said


@pytest.mark.gpu
@pytest.mark.skipif(missing("cuda.compute"), reason="cuda.compute is not installed")
def test_sums_by_cuda_compute_take_as_long_as_events_say():
    """The time of a sum by cuda.compute agrees within 3 % with CuPy's events, on the session's stream."""
    import cupy as cp
    import numpy as np
    from cuda.compute import OpKind, make_reduce_into
    from cupyx.profiler import benchmark

    module = backends.modules()["cuda_compute"]
    session = module.Session("cuda_compute", module.probe("cuda_compute")[0])
    x, total = session.empty((BIG,), "float64"), session.empty((1,), "float64")
    session.copy_in(x, np.ones(BIG))
    how = {"d_out": total, "op": OpKind.PLUS, "h_init": np.zeros(1)}
    reduce = make_reduce_into(d_in=x, **how)
    how |= {"num_items": BIG, "stream": session.stream}
    scratch = cp.empty(reduce(temp_storage=None, d_in=x, **how), "uint8")

    def run(x):
        reduce(temp_storage=scratch, d_in=x, **how)

    call = Call(run, {}, prepared=True)
    call.bind((x,))
    call.once()
    assert session.copy_out(total) == BIG
    timers = session.timers(call)
    timers["compute"](IN_A_ROW)
    ours = [median(timers["compute"](IN_A_ROW) for _ in range(5))]
    repeated = benchmark(lambda: [call.once() for _ in range(IN_A_ROW)], n_repeat=5, n_warmup=1)
    theirs = float(np.median(repeated.gpu_times)) / IN_A_ROW
    ours.append(median(timers["compute"](IN_A_ROW) for _ in range(5)))
    assert call.mark is None
    assert 0.97 * min(ours) < theirs < 1.03 * max(ours), (ours, theirs)
    assert session.intact(x)
    assert session.intact(total)
    session.close()
