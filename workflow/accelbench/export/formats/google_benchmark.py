"""Google Benchmark's JSON, as its --benchmark_format=json writes it and its tools/compare.py reads it.

A repetition is a fresh process, its time the median of that process's samples: samples of one process are no
independent repetitions, and the tool's U test takes them for such. `cpu_time`, which that tool wants, repeats
`real_time`: the processor's time was not measured.

Source: Google Benchmark's documentation, "User Guide" (Output Formats) and "Benchmark Tools".
"""

from accelbench.export.samples import by_process
from accelbench.export.samples import timed as holds
from accelbench.model.record import case_id
from accelbench.statistics import median

NANOSECONDS = 1e9
LEVELS = {"L1d": ("Data", 1), "L1i": ("Instruction", 1), "L2": ("Unified", 2), "L3": ("Unified", 3)}


def document(results):
    """Context and benchmarks; a family is a kernel."""
    machine, state = results.machine, results.machine.system_state
    caches = [
        {"type": LEVELS[name][0], "level": LEVELS[name][1], "size": size, "num_sharing": 0}
        for name, size in machine.cpu.caches.items()
        if name in LEVELS
    ]
    kernels = sorted({record.kernel for record in results.records})
    members = dict.fromkeys(kernels, 0)
    benchmarks = []
    for record in results.records:
        if holds(record):
            place = (kernels.index(record.kernel), members[record.kernel])
            members[record.kernel] += 1
            benchmarks += _repetitions(record, *place)
    started = [run.started for _, run in results.runs]
    context = {
        "date": max(started, default=""),
        "host_name": machine.hostname,
        "executable": "accelbench",
        "num_cpus": machine.cpu.available,
        "mhz_per_cpu": round(state.frequency_mhz or 0),
        "cpu_scaling_enabled": state.governor not in (None, "performance"),
        "caches": caches,
        "load_avg": state.load_average,
        "library_build_type": "release",
    }
    return {"context": context, "benchmarks": benchmarks}


def _repetitions(record, family, member):
    name, processes = case_id(record), by_process(record)
    for number, (samples, loops) in enumerate(processes):
        nanoseconds = median(samples) * NANOSECONDS
        yield {
            "name": name,
            "family_index": family,
            "per_family_instance_index": member,
            "run_name": name,
            "run_type": "iteration",
            "repetitions": len(processes),
            "repetition_index": number,
            "threads": record.threads or 1,
            "iterations": loops * len(samples),
            "real_time": nanoseconds,
            "cpu_time": nanoseconds,
            "time_unit": "ns",
        }
