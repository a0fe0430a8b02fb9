"""Duration of each step of the measurements, over the runs that recorded their steps.

A row has the total duration of a step over these runs of a kernel. The longest step comes first. Rows with the kernel
"total" have the sums over all kernels.

part     one of PARTS: sampling, checking (which includes making inputs and references), or the rest
seconds  wall time of the step. The row BETWEEN has the time between steps, so that the rows of a kernel add up to the
         wall time of the runs
share    `seconds` divided by the wall time of the runs
"""

from collections import defaultdict

from accelbench.analysis.rows import columns

COLUMNS = columns(
    ("machine kernel step part", str),
    ("seconds share", float),
)
SAMPLING, CHECKING, REST = PARTS = ("sampling", "checking", "rest")
OF_CHECKING = ("inputs", "compare", "changed", "checking", "recheck", "refill")
BETWEEN = "between steps"


def rows(analysis):
    kernels = {kernel: metadata.runs for kernel, metadata in analysis.results.kernels.items()}
    every = [run for runs in kernels.values() for run in runs]
    for kernel, runs in {**kernels, "total": every}.items():
        for step, seconds, share in steps(runs):
            about = {"machine": analysis.machine.name, "kernel": kernel, "step": step, "part": part_of(step)}
            yield about | {"seconds": seconds, "share": share}


def steps(runs):
    """Return (step, seconds, share) for each step, the longest first, over the runs that recorded their steps."""
    recorded = [run for run in runs if run.steps_s]
    wall_s, seconds = sum(run.wall_s for run in recorded), defaultdict[str, float](float)
    for run in recorded:
        for step, s in (*run.steps_s.items(), (BETWEEN, max(0.0, run.wall_s - sum(run.steps_s.values())))):
            seconds[step] += s
    return [(step, s, s / wall_s if wall_s else None) for step, s in sorted(seconds.items(), key=lambda step: -step[1])]


def part_of(step):
    return SAMPLING if step == "sample" else CHECKING if step in OF_CHECKING else REST
