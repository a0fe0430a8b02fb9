"""T4, the output format of the auto-tuning community, version 1.0.0: configurations, their times, and what is invalid.

Here a configuration is everything that says which case it is, for kernel, implementation, device, size and threads are
choices, too. Times are in milliseconds, as Kernel Tuner writes them. A configuration that has no time says so in
`invalidity`, and why in `reason`, which the format leaves free.

Source: results-schema.json of https://github.com/odgaard/TuningSchema, as Kernel Tuner reads it, where "correct" is
what is not invalid.
"""

from accelbench.export.samples import timed
from accelbench.model.parameters import BLOCK_SIZE

VERSION = "1.0.0"
MILLISECONDS = 1e3
INVALIDITY = {
    "ok": "correct",
    "unsupported": "constraints",
    "build_failed": "compile",
    "wrong_result": "correctness",
    "timeout": "timeout",
    "too_slow": "timeout",
}  # all others: "runtime"
AXES = ("x", "y", "z")


def document(results):
    """Every configuration that was tried."""
    started = {kernel: metadata.runs[-1].started for kernel, metadata in results.kernels.items() if metadata.runs}
    found = [_result(record, started.get(record.kernel)) for record in results.records if holds(record)]
    return {"schema_version": VERSION, "results": found}


def holds(record):
    """Whether it was a configuration of this machine: one of a device that is not there was none."""
    return record.outcome != "unavailable"


def _result(record, started):
    timing = record.timings["compute"] if timed(record) else None
    build_s = record.startup and record.startup.build_s
    measured = [{"name": "time", "value": timing.median_s * MILLISECONDS, "unit": "ms"}] if timing else []
    return {
        **({"timestamp": started} if started else {}),
        "configuration": _configuration(record),
        "times": {
            "runtimes": [s * MILLISECONDS for own in timing.samples_s for s in own] if timing else [],
            **({} if build_s is None else {"compilation_time": build_s * MILLISECONDS}),
        },
        "invalidity": INVALIDITY.get(record.outcome, "runtime"),
        "correctness": float(record.outcome == "ok"),
        "measurements": measured,
        "objectives": ["time"],
        **({"reason": record.reason} if record.reason else {}),
    }


def _configuration(record):
    found = {
        "kernel": record.kernel,
        "implementation": record.implementation,
        "device": record.device,
        "dtype": record.dtype,
        "size": record.size,
        **record.options,
        **({} if record.threads is None else {"threads": record.threads}),
    }
    for name, value in sorted(record.parameters.items()):
        if name == BLOCK_SIZE:
            found |= {f"{name}_{axis}": extent for axis, extent in zip(AXES, value.extents, strict=False)}
        else:
            found[name] = value
    return found
