"""A results folder of a machine with two cores, with invented but lifelike times, for tests of code that reads results.

Times follow overhead + work / rate, so every speedup is known. Every outcome occurs. Names and messages try to break
out of HTML, CSV and the shell.
"""

import math
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import pretended_results
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.record import Order
from pretended_results import HOSTILE, OPENCL_DEVICE, machine, record, timing, write_text

THREADS = (1, 2)
LIMITS = ("read", "copy", "triad", "matmul")


@dataclass(frozen=True)
class Way:
    """One invented implementation.

    A call in float64 with the best block takes overhead_s + element_s x work / (1 + threaded x (threads - 1)) seconds.
    """

    overhead_s: float
    element_s: float
    threaded: float | None = None
    blocks: tuple = ()
    lines: int = 8
    first_call_s: float = 1e-4


KERNELS = {
    "vector_sum": {
        "numpy_sum": Way(2.5e-6, 4.0e-10, lines=5),
        "python_sum": Way(3e-7, 2.4e-8, lines=4),
        "ctypes_c": Way(1.8e-6, 9.0e-10, lines=18),
        "cffi_api": Way(4e-7, 9.0e-10, lines=16),
        "cffi_api_native": Way(4e-7, 2.6e-10, lines=16),
        "cffi_openmp": Way(5e-6, 2.6e-10, threaded=0.85, lines=17),
        "cython_typed": Way(9e-7, 8.8e-10, lines=14),
        "cython_openmp": Way(6e-6, 8.8e-10, threaded=0.9, lines=15),
        "numba_njit": Way(3e-7, 8.9e-10, lines=9, first_call_s=0.35),
        "numba_parallel": Way(1.4e-5, 4.6e-10, threaded=0.9, lines=9, first_call_s=0.9),
        "pyopencl_array": Way(2.2e-4, 7e-10, threaded=0.8, lines=6, first_call_s=0.4),
        "pyopencl_raw": Way(6e-5, 4.2e-10, threaded=0.8, blocks=(64, 256), lines=44, first_call_s=0.2),
    },
    "vector_multiply": {
        "numpy_multiply": Way(5e-7, 8.0e-10, lines=5),
        "numpy_allocating": Way(6e-7, 1.5e-9, lines=5),
        "python_list": Way(3e-7, 4.4e-8, lines=5),
        "ctypes_c": Way(1.9e-6, 8.2e-10, lines=18),
        "cffi_api": Way(5e-7, 8.1e-10, lines=15),
        "cffi_raw_string": Way(5e-7, 8.1e-10, lines=20),
        "cython_typed": Way(1.1e-6, 8.3e-10, lines=13),
        "cython_openmp": Way(6e-6, 8.3e-10, threaded=0.6, lines=14),
        "numba_njit": Way(4e-7, 8.1e-10, lines=8, first_call_s=0.3),
        "numba_vectorize": Way(9e-7, 8.2e-10, lines=7, first_call_s=0.2),
        "pyopencl_elementwise": Way(7e-5, 7.8e-10, threaded=0.6, lines=9, first_call_s=0.15),
        "pyopencl_raw": Way(6e-5, 8e-10, threaded=0.6, blocks=(64, 256), lines=30, first_call_s=0.1),
    },
    "monte_carlo_pi": {
        "numpy_random": Way(9e-6, 1.1e-8, lines=8),
        "python_loop": Way(8e-7, 1.3e-7, lines=10),
        "ctypes_c": Way(1.6e-6, 2.5e-9, lines=30),
        "cffi_api": Way(4e-7, 2.5e-9, lines=28),
        "cffi_api_rand": Way(4e-7, 1.9e-8, lines=24),
        "cffi_abi": Way(1.2e-6, 2.5e-9, lines=28),
        "cython_typed": Way(8e-7, 2.6e-9, lines=26),
        "numba_njit": Way(3e-7, 2.7e-9, lines=21, first_call_s=0.5),
        "numba_parallel": Way(1.5e-5, 2.7e-9, threaded=0.97, lines=22, first_call_s=1.2),
        "pyopencl_raw": Way(8e-5, 1.2e-9, threaded=0.95, blocks=(64, 256), lines=40, first_call_s=0.2),
    },
    "inside_polygon": {
        "numpy_vectorised": Way(4e-5, 6e-8, lines=20),
        "numpy_scanline": Way(2e-4, 2e-9, lines=34),
        "python_tuples": Way(2e-6, 3e-6, lines=22),
        "cython_tuples": Way(2e-6, 1.1e-6, lines=22),
        "cython_typed": Way(2e-6, 3e-8, lines=28),
        "cython_class": Way(2e-6, 3.1e-8, lines=40),
        "cython_openmp": Way(8e-6, 3e-8, threaded=0.95, lines=30),
        "ctypes_c": Way(2e-6, 2.2e-9, lines=40),
        "cffi_api": Way(1e-6, 2.2e-9, lines=38),
        "cffi_openmp": Way(6e-6, 4e-10, threaded=0.9, lines=38),
        "numba_njit": Way(1e-6, 2.9e-8, lines=24, first_call_s=0.8),
        "numba_parallel": Way(1.6e-5, 2.9e-8, threaded=0.95, lines=24, first_call_s=1.6),
        "pyopencl_raw": Way(7e-5, 1.1e-8, threaded=0.95, blocks=((8, 8), (16, 16)), lines=45, first_call_s=0.3),
    },
}
BASELINES = {name: next(iter(ways)) for name, ways in KERNELS.items()}
SIZES = dict.fromkeys(KERNELS, (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000))
SIZES["monte_carlo_pi"] = (1_000, 100_000, 10_000_000)
SIZES["inside_polygon"] = (64, 256, 1024)
DTYPES = dict.fromkeys(KERNELS, ("float64", "float32"))
DTYPES["monte_carlo_pi"] = ("int64",)
OPTIONS = {name: {} for name in KERNELS} | {"inside_polygon": {"vertices": 24}}

# {(kernel, implementation, dtype or None for all, minimum size): (outcome, reason)}: each outcome without a time
FAILURES = {
    ("vector_sum", "python_sum", None, 10_000_000): ("too_slow", "predicted to take 2.4 s a call, allowed are 2 s"),
    ("vector_sum", "cython_typed", "float32", 0): ("wrong_result", f"error 0.5 exceeds 1e-6 at index 3 {HOSTILE}"),
    ("vector_multiply", "python_list", None, 1_000_000): ("timeout", "no answer for 60 s; the worker was killed"),
    ("vector_multiply", "cffi_raw_string", None, 0): ("build_failed", "gcc: error: unknown type name ‘flaot’"),
    ("vector_multiply", "numba_vectorize", "float32", 10_000_000): ("out_of_memory", "asked for 1.2 TB, 7 GB are free"),
    ("monte_carlo_pi", "cffi_abi", None, 10_000_000): ("crashed", "the worker died of SIGSEGV"),
    ("monte_carlo_pi", "python_loop", None, 100_000): ("error", f"ValueError: {HOSTILE}"),
    ("inside_polygon", "pyopencl_raw", "float64", 0): ("unsupported", "the device has no float64 (cl_khr_fp64)"),
    ("inside_polygon", "python_tuples", None, 1024): ("too_slow", "predicted to take 3.1 s a call, allowed are 2 s"),
    ("inside_polygon", "numba_parallel", "float32", 0): ("unavailable", "numba is not installed: pip install numba"),
}


def work(kernel, size):
    """Return the number of elements of a problem; an image has size x size pixels."""
    return size * size if kernel == "inside_polygon" else size


def seconds(kernel, implementation, dtype, size, threads=None, block=None):
    """Return the invented true time of one call, in seconds."""
    way = KERNELS[kernel][implementation]
    rate = 1 + (way.threaded or 0) * ((threads or 1) - 1)
    half = 0.55 if dtype == "float32" else 1.0
    penalty = 1.25 if block in (64, (8, 8)) else 1.0
    return way.overhead_s + way.element_s * work(kernel, size) * half * penalty / rate


def failure(kernel, implementation, dtype, size):
    """Return (outcome, reason) of a case without a time, or None."""
    for (k, i, d, smallest), result in FAILURES.items():
        if (k, i) == (kernel, implementation) and d in (None, dtype) and size >= smallest:
            return result
    return None


def write_metadata(folder):
    """Write a results folder without records, for tests of lectures' figures, which have separate records."""
    shutil.rmtree(write(folder) / "timings")
    return Path(folder)


def write(folder, repetitions=3, kernels=tuple(KERNELS), seed=7):
    """Write machine.json, and the metadata and records of `kernels` and of four peaks, under `folder`."""
    folder, generator = Path(folder), random.Random(seed)
    found = [record for kernel in kernels for record in records(kernel, repetitions, generator)]
    known = {kernel: metadata(kernel, folder) for kernel in kernels}
    found += _limits(repetitions, generator)
    known |= {f"peak_{kind}": pretended_results.metadata(f"peak_{kind}", "cffi_openmp") for kind in LIMITS}
    return pretended_results.write(folder, machine(), known, found)


def records(kernel, repetitions, generator):
    """Return the Records of one kernel in a random order."""
    drift = [generator.gauss(0, 0.02) for _ in range(repetitions)]
    found = []
    for implementation, way in KERNELS[kernel].items():
        for dtype in DTYPES[kernel]:
            for size in SIZES[kernel]:
                for threads in THREADS if way.threaded else THREADS[:1]:
                    for block in way.blocks or (None,):
                        case = (implementation, dtype, size, threads, block)
                        found.append(_record(kernel, *case, drift, generator))
    generator.shuffle(found)
    return found


def _record(kernel, implementation, dtype, size, threads, block, drift, generator):
    backend = implementation.split("_")[0]
    itemsize = 8 if dtype.endswith("64") else 4
    elements = work(kernel, size)
    failed = failure(kernel, implementation, dtype, size)
    fields = {
        "machine": "local",
        "kernel": kernel,
        "options": OPTIONS[kernel],
        "implementation": implementation,
        "backend": backend,
        "device": OPENCL_DEVICE if backend == "pyopencl" else "cpu",
        "size": size,
        "dtype": dtype,
        "parameters": {} if block is None else {"block_size": block},
        "threads": threads,
        "bytes_read": float(elements * itemsize * (2 if kernel == "vector_multiply" else 1)),
        "bytes_written": float(elements * itemsize if kernel == "vector_multiply" else itemsize),
        "flops": 0.0 if kernel == "inside_polygon" else float(elements),  # depends on the algorithm
        "cache_resident": elements * itemsize < 32 * 2**20,
        "source_lines": KERNELS[kernel][implementation].lines,
    }
    if failed:
        return record(**fields, outcome=failed[0], reason=failed[1])
    true = seconds(kernel, implementation, dtype, size, threads, block)
    samples = [[true * math.exp(d + generator.gauss(0, 0.004)) for _ in range(9)] for d in drift]
    timings = {"compute": timing(samples)}
    if backend == "pyopencl":
        copied = [[s + 4e-5 + elements * itemsize / 5e9 for s in repetition] for repetition in samples]
        timings |= {"call": timing([[s + 2e-5 for s in x] for x in samples]), "end_to_end": timing(copied)}
    way = KERNELS[kernel][implementation]
    return record(
        **fields,
        repetitions=_names(len(drift)),
        timings=timings,
        startup={
            "import_s": {"numba": 0.24, "pyopencl": 0.15}.get(backend, 0.08),
            "context_s": 0.05 if backend == "pyopencl" else None,
            "build_s": 0.02 if way.blocks else 0.001,
            "first_call_s": way.first_call_s + true,
        },
        max_error=1e-12 if itemsize == 8 else 3e-6,
        tolerance=1e-10 if itemsize == 8 else 1e-4,
        noisy=size == 10_000,
        order=Order(seed=20230308, processes=len(drift)),
        key="0" * 32,
    )


def metadata(kernel, folder):
    """Return the metadata of one kernel; write the annotation pages that its Cython builds name."""
    implementations = {}
    for name, way in KERNELS[kernel].items():
        backend = name.split("_")[0]
        suffix = "pyx" if backend == "cython" else "py"
        call = "result = x.sum()  # <script>alert('source')</script>"
        text = f'"""{kernel} with {name} & friends."""\n\n\ndef run(x):\n    {call}\n    return result\n'
        shown = [{"name": f"{name}.{suffix}", "text": text}]
        build = []
        if backend in ("ctypes", "cffi", "cython"):
            shown.append(
                {"name": f"{kernel}.c", "text": f"double {kernel}(const double *x) {{\n    return x[0];\n}}\n"}
            )
            build.append(_artifact(kernel, name, backend, folder))
        implementations[name] = pretended_results.about(
            name,
            title=f"{kernel} by {name}, <b>bold</b>",
            variant="native" if name.endswith("native") else None,
            threads=bool(way.threaded),
            parameters=["block_size"] if way.blocks else [],
            toolchain=build[0]["recipe"][:4] if build else None,
            flags=["-fopenmp"] if name.endswith("openmp") else [],
            source_lines=way.lines,
            files=shown,
            build=build,
        )
    run = {
        "started": "2025-11-20T10:00:00+00:00",
        "wall_s": 60.0,
        "in_samples_s": 33.0,
        "cases": 120,
        "protocol_version": PROTOCOL_VERSION,
        "commit": "0123abcd" * 5,
        "dirty": True,
        "config": {"preset": "default", "protocol": {"repetitions": 3}, "kernels": {kernel: {"options": {}}}},
        "command": "python -m accelbench measure --config config/config.yaml",
    }
    return pretended_results.metadata(
        kernel,
        BASELINES[kernel],
        title=kernel.replace("_", " ").capitalize() + " <i>& co</i>",
        description=f"What {kernel} computes.\n\n    out = a < b\n    & more\n\nA paragraph after the formula.",
        size="pixels along an edge" if kernel == "inside_polygon" else "number of elements",
        lectures=["icsc23"],
        options=OPTIONS[kernel],
        dtypes=list(DTYPES[kernel]),
        block_dimensions=2 if kernel == "inside_polygon" else 1,
        implementations=implementations,
        runs=[run],
    )


def _artifact(kernel, name, backend, folder):
    failed = failure(kernel, name, None, 0) or failure(kernel, name, DTYPES[kernel][0], 0)
    broken = failed is not None and failed[0] == "build_failed"
    page = f"{name}/{name}.html" if backend == "cython" else None
    if page:
        write_text(folder / "build" / kernel / page, f"<!doctype html><title>{name}</title>")
    return {
        "implementation": name,
        "source": f"{kernel}.c",
        "device": None,
        "outcome": "build_failed" if broken else "ok",
        "path": f"{name}/{kernel}.so",
        "log": f"warning: {HOSTILE}\n" * 3,
        "command": f"gcc -O3 -fPIC -shared {kernel}.c -o {kernel}.so",
        "seconds": 0.41,
        "compiler": "gcc 12.2.0",
        "recipe": "cffi" + "0" * 28,
        "page": page,
    }


def _limits(repetitions, generator):
    """Return Records of peaks with one and two threads: 50 and 60 GB/s, for matmul 20 and 40 Gflop/s."""
    size, found = 10_000_000, []
    for kind in LIMITS:
        for dtype, itemsize in (("float64", 8), ("float32", 4)):
            for threads, rate in ((1, 50e9), (2, 60e9)):
                amount = 2e10 if kind == "matmul" else float(size * itemsize)
                true = amount / (20e9 * threads if kind == "matmul" else rate)
                samples = [[true * math.exp(generator.gauss(0, 0.01))] * 3 for _ in range(repetitions)]
                found.append(
                    record(
                        "cffi_openmp",
                        size,
                        machine="local",
                        kernel=f"peak_{kind}",
                        dtype=dtype,
                        threads=threads,
                        repetitions=_names(repetitions),
                        timings={"compute": timing(samples)},
                        bytes_read=amount,
                        bytes_written=0.0,
                        flops=amount if kind == "matmul" else 0.0,
                        source_lines=10,
                    )
                )
    return found


def _names(repetitions):
    return [f"repetition-{number}" for number in range(repetitions)]
