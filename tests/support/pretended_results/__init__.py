"""Results folders with invented times, as the measuring stages would write them.

`record` and `save` are for a few records whose seconds a test gives. `cpu` and `gpu` invent whole machines.
"""

import json
import math
import statistics

import pandas as pd

from accelbench.model.record import OF_OK_ALONE, TIMINGS, Record, Startup, Timing
from accelbench.statistics import median

REPETITIONS = ("p1", "p2", "p3")
GPU = {"device": "NVIDIA H200", "threads": None}
HOSTILE = "<script>alert('owned')</script> & \"quotes\" 'single' ${HOME} `id` ünï→code 漢字 \N{ROCKET}"
OPENCL_DEVICE = "cpu-haswell-Virtual CPU @ 2.60GHz"
# Fields of the record of an unmeasured case.
UNMEASURED = dict.fromkeys(OF_OK_ALONE) | {"timings": {}, "errors": {}, "repetitions": [], "startup": None}
STUDENT_T = 4.303  # 97.5 % quantile of Student's t for three repetitions


def timing(samples, loops=10, interval=None):
    """Return the Timing of `samples`, a list of seconds for each repetition.

    interval  ends of the interval, relative to the median; default: computed from the repetitions' medians, or ±1 % for
              one repetition
    """
    logs = [math.log(median(values)) for values in samples]
    middle = math.exp(sum(logs) / len(logs))
    if interval is None:
        spread = STUDENT_T * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.01
        interval = math.exp(-spread), math.exp(spread)
    return Timing(
        samples_s=samples,
        rounds=[list(range(len(values))) for values in samples],
        loops=[loops] * len(samples),
        median_s=middle,
        ci_low_s=middle * interval[0],
        ci_high_s=middle * interval[1],
        converged=True,
    )


def once(record):
    """Return a copy of a Record with only its first repetition."""
    timings = {kind: timing(own.samples_s[:1]) for kind, own in record.timings.items()}
    return record.model_copy(update={"repetitions": record.repetitions[:1], "timings": timings})


def record(implementation, size=1000, *, repetitions=REPETITIONS, outcome="ok", startup=None, **fields):
    """Return a Record of the kernel `thing`, with 4 equal samples per repetition.

    Kinds of time, such as `compute=0.1`, are in seconds: one number, or one for each repetition.
    """
    kinds = {kind: fields.pop(kind) for kind in TIMINGS if kind in fields}
    each = {kind: [s] * len(repetitions) if isinstance(s, float) else s for kind, s in kinds.items()}
    defaults = {
        "machine": "here",
        "kernel": "thing",
        "backend": implementation.split("_")[0],
        "device": "cpu",
        "dtype": "float64",
        "threads": 1,
        "repetitions": list(repetitions) if outcome == "ok" else [],
        "timings": {kind: timing([[s] * 4 for s in own], loops=1, interval=(0.99, 1.01)) for kind, own in each.items()},
        "startup": startup and Startup(**startup),
        "reason": None if outcome == "ok" else f"{implementation} failed",
    }
    return Record(implementation=implementation, size=size, outcome=outcome, **defaults | fields)


def machine(**fields):
    """Return the content of a machine.json with a hostile host name and three missing backends."""
    device = {"name": "cpu", "kind": "cpu", "index": {}, "device_limits": {}, "versions": {}, "unsupported_dtypes": {}}
    here = {"available": True, "reason": None, "versions": {"library": "1.2.3"}, "devices": [device]}
    opencl = {**here, "devices": [{**device, "name": OPENCL_DEVICE}]}
    missing = {"available": False, "reason": f"no NVIDIA driver {HOSTILE}", "versions": {}, "devices": []}
    backends = dict.fromkeys(("python", "numpy", "ctypes", "cffi", "cython", "numba"), here)
    backends |= {"pyopencl": opencl} | dict.fromkeys(("cupy", "pycuda", "numba_cuda"), missing)
    return {
        "schema_version": 2,
        "name": "local",
        "identity": "0123456789abcdef",
        "cpu": {
            "model": "Virtual CPU @ 2.60GHz",
            "cores": 2,
            "available": 2,
            "sockets": 1,
            "numa_nodes": 1,
            "caches": {"L1d": 32 * 2**10, "L2": 2**20, "L3": 32 * 2**20},
        },
        "memory_bytes": 8 * 2**30,
        "virtualised": True,
        "os": "Debian GNU/Linux 12",
        "kernel": "6.1.0",
        "hostname": f"host{HOSTILE}",
        "python": "3.11.7",
        "compilers": {"cc": "gcc 12.2.0", "cxx": "g++ 12.2.0", "nvcc": None},
        "distributions": {"numpy": "2.4.6", "cffi": "2.0.0", "numba": "0.65.0"},
        "backends": backends,
        "gpus": [],
        "driver": None,
        "system_state": {
            "load_average": [0.21, 0.3, 0.4],
            "cpu_s": {"user": 90.0, "idle": 109.0, "steal": 1.0},
            "governor": None,
            "frequency_mhz": 2596.1,
            "memory_free_bytes": 4 * 2**30,
            "gpus": [],
        },
    } | fields


def about(implementation, **fields):
    """Return the metadata of an implementation."""
    return {
        "title": "one way",
        "backend": implementation.split("_")[0],
        "variant": None,
        "threads": False,
        "parameters": [],
        "toolchain": None,
        "flags": [],
        "source_lines": 10,
        "files": [],
        "build": [],
    } | fields


def metadata(kernel, baseline, **fields):
    """Return the metadata of a kernel whose only implementation is its baseline."""
    return {
        "schema_version": 2,
        "kernel": kernel,
        "title": kernel,
        "description": "What the machine can do.",
        "size": "number of elements",
        "baseline": baseline,
        "lectures": [],
        "options": {},
        "dtypes": ["float64", "float32"],
        "block_dimensions": 1,
        "location": "device",
        "implementations": {baseline: about(baseline)},
        "runs": [],
    } | fields


MACHINE = machine(name="here")
METADATA = metadata("thing", "numpy_thing")


def write(folder, machine, kernels, records):
    """Write machine.json, and the metadata of `kernels` with their `records`."""
    write_json(folder / "machine.json", machine)
    for kernel, known in kernels.items():
        write_json(folder / "kernels" / f"{kernel}.json", known)
        lines = [r.model_dump_json() + "\n" for r in records if r.kernel == kernel]
        write_text(folder / "timings" / f"{kernel}.jsonl", "".join(lines))
    return folder


def write_text(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_json(path, value):
    write_text(path, json.dumps(value))


def save(folder, *records, virtualised=False, devices=(), kernels=None):
    """Write a results folder with these records. `kernels` is {kernel: fields of its metadata}."""
    unlimited = {"index": {}, "device_limits": {}, "versions": {}, "unsupported_dtypes": {}}
    found = [unlimited | device for device in devices]
    backends = {"pyopencl": {"available": True, "reason": None, "versions": {}, "devices": found}}
    known = {}
    for kernel in {r.kernel for r in records}:
        own = metadata(kernel, f"numpy_{kernel.removeprefix('peak_')}", title="thing")
        known[kernel] = own | (kernels or {}).get(kernel, {})
    return write(folder, MACHINE | {"virtualised": virtualised, "backends": backends}, known, records)


def only(table, **where):
    """Return the only row of a table that has the values `where`, as a dict with None for null."""
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1, table
    return {k: None if pd.isna(v) else v for k, v in table.iloc[0].items()}


def limit(kind, implementation, seconds, *, read, written=0.0, flops=None, size=10**8, **fields):
    """Return a Record of a kernel that measures a peak of the machine."""
    moved = {"bytes_read": read, "bytes_written": written, "flops": flops}
    return record(f"{implementation}_{kind}", size, kernel=f"peak_{kind}", compute=seconds, **moved, **fields)


LIMITS = (
    limit("read", "numpy", 1.0, read=8e9),
    limit("read", "cffi", 0.8, read=8e9),  # 10 GB/s
    limit("read", "cffi", 1e-6, read=8e6, size=10**5, cache_resident=True),
    limit("read", "cffi", 0.4, read=8e9, threads=2),  # 20 GB/s
    limit("copy", "numpy", 2.0, read=8e9, written=8e9),  # 8 GB/s
    limit("triad", "numpy", 2.5, read=16e9, written=8e9),  # 9.6 GB/s
    limit("matmul", "numpy", 1.0, read=1e6, written=1e6, flops=1e11),
)
