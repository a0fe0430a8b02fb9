"""Records that are made up of seconds a repetition, and results that hold them."""

import json
import math

import pandas as pd
import synthetic_results as made

from accelbench.model.record import TIMINGS, Record, Startup, Timing

REPETITIONS = ("p1", "p2", "p3")
MACHINE = made.machine() | {"name": "here"}
METADATA = made.plain_metadata("thing", "numpy_thing")


def timing(seconds, repetitions, loops=1):
    """A Timing with the given seconds per repetition (one number for all), 4 equal samples each."""
    values = [seconds] * len(repetitions) if isinstance(seconds, float) else list(seconds)
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return Timing(
        samples_s=[[v] * 4 for v in values],
        rounds=[[0, 1, 2, 3]] * len(values),
        loops=[loops] * len(values),
        median_s=mean,
        ci_low_s=mean * 0.99,
        ci_high_s=mean * 1.01,
        converged=True,
    )


def record(implementation, size=1000, *, repetitions=REPETITIONS, outcome="ok", startup=None, **fields):
    """A Record of the kernel `thing`; `compute=0.1` and other kinds become its timings."""
    kinds = {k: fields.pop(k) for k in TIMINGS if k in fields}
    defaults = {
        "machine": "here",
        "kernel": "thing",
        "backend": implementation.split("_")[0],
        "device": "cpu",
        "dtype": "float64",
        "threads": 1,
        "repetitions": list(repetitions) if outcome == "ok" else [],
        "timings": {k: timing(v, repetitions) for k, v in kinds.items()},
        "startup": startup and Startup(**startup),
        "reason": None if outcome == "ok" else f"{implementation} failed",
    }
    return Record(implementation=implementation, size=size, outcome=outcome, **defaults | fields)


def save(folder, *records, virtualised=False, devices=(), kernels=None):
    """Write a results folder holding these records."""
    (folder / "timings").mkdir(parents=True, exist_ok=True)
    (folder / "kernels").mkdir(exist_ok=True)
    found = [
        {"index": {}, "device_limits": {}, "versions": {}, "unsupported_dtypes": {}, **device} for device in devices
    ]
    backends = {"pyopencl": {"available": True, "reason": None, "versions": {}, "devices": found}}
    machine = MACHINE | {"virtualised": virtualised, "backends": backends}
    (folder / "machine.json").write_text(json.dumps(machine))
    for kernel in {r.kernel for r in records}:
        baseline = "numpy_thing" if kernel == "thing" else f"numpy_{kernel.removeprefix('peak_')}"
        metadata = METADATA | {"kernel": kernel, "baseline": baseline}
        (folder / "kernels" / f"{kernel}.json").write_text(json.dumps(metadata | (kernels or {}).get(kernel, {})))
        lines = [r.model_dump_json() for r in records if r.kernel == kernel]
        (folder / "timings" / f"{kernel}.jsonl").write_text("".join(line + "\n" for line in lines))
    return folder


def only(table, **where):
    """The one row of a table with these values, as a dict with None for null."""
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1, table
    return {k: None if pd.isna(v) else v for k, v in table.iloc[0].items()}


GPU = {"device": "NVIDIA H200", "threads": None}


def limit(kind, implementation, seconds, *, read, written=0.0, flops=None, **fields):
    return record(
        f"{implementation}_{kind}",
        fields.pop("size", 10**8),
        kernel=f"peak_{kind}",
        compute=seconds,
        bytes_read=read,
        bytes_written=written,
        flops=flops,
        **fields,
    )


LIMITS = (
    limit("read", "numpy", 1.0, read=8e9),
    limit("read", "cffi", 0.8, read=8e9),  # 10 GB/s
    limit("read", "cffi", 1e-6, read=8e6, size=10**5, cache_resident=True),
    limit("read", "cffi", 0.4, read=8e9, threads=2),  # 20 GB/s
    limit("copy", "numpy", 2.0, read=8e9, written=8e9),  # 8 GB/s
    limit("triad", "numpy", 2.5, read=16e9, written=8e9),  # 9.6 GB/s
    limit("matmul", "numpy", 1.0, read=1e6, written=1e6, flops=1e11),
)
