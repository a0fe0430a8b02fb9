"""Environment variables of a worker, which are set before any import, and the part of them that is recorded."""

import contextlib
import os
from pathlib import Path

from accelbench.measure.setup import Setup
from accelbench.processes.supervision import SPIN_BRIEFLY, inherited_settings, temporary_folders


def variables(threads, device_kind, scratch):
    """Return the environment variables of a worker, {name: value}.

    threads      number of threads on the host; None if the host does not compute
    device_kind  "cpu" or another kind of device
    scratch      folder for caches and temporary files

    Threads of OpenMP and OpenBLAS spin briefly before they sleep. Sleeping at once costs more time than a small
    parallel loop takes. Long spinning slows the next process down.
    """
    count = str(threads or 1)
    return {
        "OMP_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "NUMBA_NUM_THREADS": count,
        "POCL_MAX_PTHREAD_COUNT": count,
        "OMP_PROC_BIND": "spread",
        "OMP_PLACES": "cores",
        "OMP_DYNAMIC": "false",
        **SPIN_BRIEFLY,
        "PYOPENCL_NO_CACHE": "1",
        "POCL_CACHE_DIR": str(scratch / "pocl"),
        "NUMBA_CACHE_DIR": str(scratch / "numba"),
        "CUPY_CACHE_DIR": str(scratch / "cupy"),
        "CUDA_CACHE_PATH": str(scratch / "cuda"),
        "PYCUDA_CACHE_DIR": str(scratch / "pycuda"),
        "WARP_CACHE_PATH": str(scratch / "warp"),
        "TORCHINDUCTOR_CACHE_DIR": str(scratch / "torchinductor"),
        "TRITON_CACHE_DIR": str(scratch / "triton"),
        "NVIDIA_TF32_OVERRIDE": "0",
        **temporary_folders(scratch),
        **({"OMP_PROC_BIND": "false"} if device_kind == "cpu" and threads == 1 else {}),
    }


@contextlib.contextmanager
def bound(threads):
    """Bind processes that this thread starts within the context to `threads` CPUs; if None, to all CPUs.

    A CPU is a hardware thread of a core. The thread pool of a bound process cannot use more CPUs than `threads`. The
    first hardware threads of cores are chosen before other hardware threads. CPUs with high numbers are chosen before
    CPUs with low numbers, which handle interrupts.
    """
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(cpus, key=lambda cpu: (_is_sibling(cpu), -cpu))[:threads])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cpus)


def _is_sibling(cpu):
    """Return whether the CPU with this number is a hardware thread other than the first of its core."""
    try:
        text = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text(encoding="ascii")
    except OSError:
        return False
    return int(text.replace("-", ",").split(",")[0]) != cpu


def folders(chosen):
    """Return the folders among the values of `chosen`, a worker's environment variables."""
    return [value for name, value in chosen.items() if name.endswith(("DIR", "_PATH", "_HOME"))]


def make_folders(chosen):
    """Make the `folders` of a worker's variables, since PyCUDA and programs that use TMPDIR make none."""
    for folder in folders(chosen):
        Path(folder).mkdir(parents=True, exist_ok=True)


def recorded(chosen):
    """Return the environment variables to record for a worker: inherited variables and those in `chosen`.

    Variables whose value is a folder of this computer are left out, and so are the variables of the repetition's Setup.
    """
    drawn = Setup(0).variables
    return inherited_settings() | {
        name: value for name, value in chosen.items() if value not in folders(chosen) and name not in drawn
    }
