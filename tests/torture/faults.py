"""Implementations that fail, crash, hang or cheat, in one sweep with healthy ones. Each may lose only its own case.

A fault is a piece of code, the moment at which it runs, and the correct outcomes of its case. Python code runs in
workers of NumPy, PyOpenCL or CuPy: at import, in `prepare`, in the first call or in a later one. C code is called
through ctypes, CFFI and Cython. Other pieces are code in Numba, OpenCL and CUDA.
"""

import json
import os
import re
import textwrap
from dataclasses import dataclass
from itertools import product

import planted
import yaml

from accelbench.backends import of as backend_of
from accelbench.kernels import skeleton

A_KERNEL = 12  # number of faults per kernel
TIMEOUT_S = 6.0
LONGEST_REASON = 1100
IN_THE_FUTURE = 4e9  # seconds since 1970
PROTOCOL = {"repetitions": 1, "budget_s": 0.01, "min_rounds": 5, "sample_s": 5e-4, "sample_cache_s": 5e-4}
BACKEND = {"host": "numpy", "opencl": "pyopencl", "gpu": "cupy"}  # {device: backend that runs faults in Python}
WORK = {
    "numpy": ("import numpy as np", "np.multiply(x, 2.0, out=y)"),
    "pyopencl": ("import numpy as np\nimport pyopencl as cl", "y[:] = 2.0 * x"),
    "cupy": ("import numpy as np\nimport cupy as cp", "cp.multiply(x, 2.0, out=y)"),
}
MOMENTS = {"import": "False", "prepare": "False", "first": "calls == 1", "later": "calls == 5"}
TIMES = {"always": "True", "first": "calls == 1", "again": "calls > 1"}

PYTHON = '''
import contextlib, ctypes, os, signal, stat, subprocess, sys, threading, time
{imports}

calls = 0


def sockets():
    """Yield the file descriptors of this process's sockets."""
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                yield number


def fault(x=None, y=None):
{body}


def prepare(case):
    {preparing}

    def run(x, y):
        global calls
        calls += 1
        {work}
        if {condition}:
            fault(x, y)

    return run


{importing}
'''

C_SOURCE = """
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
double deeper(long n) {{ volatile char room[1 << 16]; room[n & 1023] = 1; return deeper(n + 1) + room[0]; }}
void fault(const double *x, double *y, long n) {{ for (long i = 0; i < n; i++) y[i] = 2 * x[i]; {body} }}
"""
CTYPES = """
import ctypes

SOURCES = ("{name}.c",)


def prepare(case):
    fault = ctypes.CDLL(case.artifact("{name}.c")).fault
    fault.restype = None
    return lambda x, y: fault(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data), ctypes.c_long(x.size))
"""
CFFI = """
SOURCES = ("{name}.c",)


def prepare(case):
    built = case.artifact("{name}.c")
    cast = built.ffi.cast
    return lambda x, y: built.lib.fault(cast("double *", x.ctypes.data), cast("double *", y.ctypes.data), x.size)
"""
CYTHON = '''
cdef extern from *:
    """{c}"""
    void fault(const double *x, double *y, long n)


def run(const double[::1] x, double[::1] y):
    fault(&x[0], &y[0], x.shape[0])
'''
NUMBA = """
import numba


@numba.njit
def run(x, y):
    for i in range(x.size):
        y[i] = 2.0 * x[i]
{body}
"""
OPENCL = """
import pyopencl as cl

SOURCE = '''kernel void doubling(global const double *x, global double *y) {{
    long i = get_global_id(0);
    if (i < 1000) y[i] = 2 * x[i];
    {device}
}}'''


def prepare(case):
    queue = case.queue
    kernel = cl.Kernel(cl.Program(queue.context, SOURCE).build(), "doubling")

    def run(x, y):
        kernel(queue, (1024,), (64,), x.data, y.data)
{host}

    return run
"""
CUDA_SOURCE = """
SOURCE = r'''
__device__ double deeper(volatile long n) {{
    volatile char room[4096];
    room[n & 1023] = 1;
    return n < 0 ? 0 : deeper(n + 1) + room[0];
}}
{extern}__global__ void doubling(const double *x, double *y) {{
    long i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1000) y[i] = 2 * x[i];
    {device}
}}'''
"""
CUPY = (
    "import time\n\nimport cupy as cp\n\n"
    + CUDA_SOURCE
    + """

def prepare(case):
    kernel = cp.RawKernel(SOURCE, "doubling")

    def run(x, y):
        kernel((4,), (256,), (x, y))
{host}

    return run
"""
)
PYCUDA = (
    "import ctypes\nimport time\n\nimport pycuda.driver as cuda\nfrom pycuda.compiler import SourceModule\n\n"
    + CUDA_SOURCE
    + """

def prepare(case):
    module = SourceModule(SOURCE)
    kernel = module.get_function("doubling")

    def run(x, y):
        kernel(x, y, block=(256, 1, 1), grid=(4, 1), stream=case.stream)
{host}

    run.module = module
    return run
"""
)
NUMBA_CUDA = """
import ctypes
import time

from numba import cuda


@cuda.jit
def doubling(x, y):
    i = cuda.grid(1)
    if i < 1000:
        y[i] = 2.0 * x[i]
    {device}


def prepare(case):
    def run(x, y):
        doubling[4, 256, case.stream](x, y)
{host}

    return run
"""


@dataclass(frozen=True)
class Fault:
    """A planted implementation: {name: text} of its files, its correct outcomes, and words in its reason."""

    name: str
    files: dict
    outcomes: tuple
    words: str


def _python_text(backend, body, moment="", condition="False"):
    imports, work = WORK[backend]
    return PYTHON.format(
        imports=imports,
        work=work,
        body=textwrap.indent(body, "    "),
        preparing="fault()" if moment == "prepare" else "pass",
        importing="fault()" if moment == "import" else "",
        condition=condition,
    )


def _python(backend):
    for kinds, moments in ((planted.DEATHS, MOMENTS), (planted.LIES, TIMES), (planted.SCHEDULING, TIMES)):
        for (kind, (body, outcomes, words)), (moment, condition) in product(kinds.items(), moments.items()):
            name = f"{backend}_{kind}_{moment}"
            yield Fault(name, {f"{name}.py": _python_text(backend, body, moment, condition)}, outcomes, words)


def _modules():
    """Yield the faults that are whole modules, for NumPy's workers."""
    for kind, (text, outcomes, words) in planted.MODULES.items():
        yield Fault(f"numpy_{kind}", {f"numpy_{kind}.py": text}, outcomes, words)


def _c():
    for kind, (body, outcomes, words) in planted.C.items():
        c = C_SOURCE.format(body=body)
        for name, text in ((f"ctypes_{kind}", CTYPES), (f"cffi_{kind}", CFFI)):
            header = {f"{name}.h": "void fault(const double *x, double *y, long n);\n"}
            yield Fault(name, {f"{name}.py": text.format(name=name), f"{name}.c": c, **header}, outcomes, words)
        yield Fault(f"cython_{kind}", {f"cython_{kind}.pyx": CYTHON.format(c=c)}, outcomes, words)


def _numba():
    for kind, (body, outcomes, words) in planted.NUMBA.items():
        yield Fault(
            f"numba_{kind}", {f"numba_{kind}.py": NUMBA.format(body=textwrap.indent(body, "    "))}, outcomes, words
        )


def _device(backend, pattern, device, host):
    """Yield the faults in a device's code, and those in the Python code that launches correct kernels."""
    for kind, (body, outcomes, words) in (device | host).items():
        where = (
            {"device": body, "host": ""} if kind in device else {"device": "", "host": textwrap.indent(body, " " * 8)}
        )
        name = f"{backend}_{kind}"
        yield Fault(name, {f"{name}.py": pattern.format(extern='extern "C" ', **where)}, outcomes, words)


FAULTS = {
    "host": lambda: [*_python("numpy"), *_modules(), *_c(), *_numba()],
    "opencl": lambda: [
        *_python("pyopencl"),
        *_device("pyopencl", OPENCL, planted.OPENCL, planted.OPENCL_HOST),
    ],
    "gpu": lambda: [
        *_python("cupy"),
        *_device("cupy", CUPY, planted.CUDA, planted.CUDA_HOST),
        *_device("pycuda", PYCUDA, planted.CUDA, planted.PYCUDA_HOST),
        *_device("numba_cuda", NUMBA_CUDA, planted.NUMBA_CUDA, planted.NUMBA_CUDA_HOST),
        *_device("pyopencl", OPENCL, planted.OPENCL, planted.OPENCL_HOST),
    ],
}


def devices(backends):
    """Return {"host", "opencl" or "gpu": names of devices} for existing devices, from the backends of machine.json."""
    named = {"host": [], "opencl": [], "gpu": []}
    for name, kind, device in (("pyopencl", "cpu", "opencl"), ("cupy", "gpu", "gpu")):
        named[device] = [found["name"] for found in backends[name]["devices"] if found["kind"] == kind][:1]
    return {device: ["cpu", *names] for device, names in named.items() if names or device == "host"}


def chosen(device, backends, random, count):
    """Return up to `count` faults of a device: first one of each kind, then the others."""
    first, further = by_kind([f for f in FAULTS[device]() if backends[backend_of(f.name)]["available"]], random)
    return (first + further)[:count]


def by_kind(faults, random):
    """Return (one fault of each kind, the others), both in random order."""
    seen, first, further = set(), [], []
    for fault in random.sample(faults, len(faults)):
        kind = re.sub(f"_({'|'.join([*MOMENTS, *TIMES])})$", "", fault.name).split("_", 1)[1]
        (further if kind in seen else first).append(fault)
        seen.add(kind)
    return first, further


def plant(folder, device, faults):
    """Write kernel folders that contain faults, healthy implementations and leftover files.

    All files have modification times in the future. Return {kernel: its faults}.
    """
    kernels = {}
    for begin in range(0, len(faults), A_KERNEL):
        some, kernel = faults[begin : begin + A_KERNEL], folder / "kernels" / f"doubling_{begin:03}"
        skeleton.write_kernel(kernel)
        texts = {name: text for fault in some for name, text in fault.files.items()}
        texts[f"{BACKEND[device]}_healthy.py"] = _python_text(BACKEND[device], "pass")
        for name, text in texts.items():
            (kernel / name).write_text(text if name.endswith((".c", ".h")) else f'"""Planted."""\n{text}')
        for name, text in planted.LEFTOVERS.items():
            (kernel / name).symlink_to("/nowhere") if text is None else (kernel / name).write_text(text)
        for file in kernel.iterdir():
            os.utime(file, (IN_THE_FUTURE, IN_THE_FUTURE), follow_symlinks=False)
        kernels[kernel.name] = some
    return kernels


def torture(tally, folder, device, names, faults, timeout_s=TIMEOUT_S):
    """Run one sweep over the faults of "host", "opencl" or "gpu". `names` are the devices to measure on."""
    kernels = plant(folder, device, faults)
    config = {
        "preset": "smoke",
        "kernels_path": [str(folder / "kernels")],
        "peaks": False,
        "dtypes": ["float64"],
        "devices": names,
        "protocol": PROTOCOL | {"timeout_s": timeout_s},
    }
    (folder / "own.yaml").write_text(yaml.safe_dump(config))
    before = set(tree(folder))
    words = ["-m", "accelbench", "run", "--configfile", "own.yaml", "--cores", "all"]
    done = tally.command(words, folder, timeout_s=120 + 3 * timeout_s * len(faults))
    if done is None:
        return
    for path in set(tree(folder)) - before:
        if path.parts[0] not in ("results", "reports", ".snakemake", "tmp") and "__pycache__" not in path.parts:
            tally.add("files written outside", str(path))
    for kernel, faults in kernels.items():
        _judge(tally, folder, kernel, faults)
    if not (folder / "reports/local/index.html").is_file():
        tally.add("kernels lost", f"no report at all: status {done.returncode}: {done.stderr[-2000:]}")


def _judge(tally, folder, kernel, faults):
    path = folder / "results/local/timings" / f"{kernel}.jsonl"
    if not path.is_file():
        tally.add("kernels lost", kernel)
        return
    records = {record["implementation"]: record for record in map(json.loads, path.read_text().splitlines())}
    healthy = [*(path.stem for path in (folder / "kernels" / kernel).glob("*_healthy.py")), "numpy_multiply"]
    tally.tried["faults"] += len(faults)
    tally.tried["healthy beside them"] += len(healthy)
    for fault in [*faults, *(Fault(name, {}, ("ok",), "") for name in healthy)]:
        record = records.get(fault.name, {"outcome": "no record", "reason": ""})
        reason = record["reason"] or ""
        told = f"{kernel}/{fault.name}: {record['outcome']}: {reason[:300]!r}, {len(reason)} characters"
        if fault.name not in records or (fault.name in healthy and record["outcome"] != "ok"):
            tally.add("cases lost", told)
        elif record["outcome"] not in fault.outcomes or fault.words not in reason:
            tally.add("other than declared", f"{told}; declared {' or '.join(fault.outcomes)} {fault.words!r}")
        elif len(reason) > LONGEST_REASON or not reason.isprintable():
            tally.add("other than declared", f"{told}; declared to be short and printable")


def tree(folder):
    return [path.relative_to(folder) for path in folder.rglob("*")]
