"""Duration of the measurements.

A row has the sums over all runs of a kernel. The row of the kernel "total" has the sums over all kernels. `cases`
counts a case once for each run that measured the case. `wall_per_case_s` is the mean wall time per case.
"""

from accelbench.analysis.rows import columns

COLUMNS = columns(
    ("machine kernel", str),
    ("runs cases", int),
    ("wall_s in_samples_s in_samples_share wall_per_case_s", float),
)


def rows(analysis):
    kernels = {kernel: totals(metadata.runs) for kernel, metadata in analysis.results.kernels.items()}
    for kernel, (runs, cases, wall_s, in_samples_s) in {**kernels, "total": total(analysis)}.items():
        yield {
            "machine": analysis.machine.name,
            "kernel": kernel,
            "runs": runs,
            "cases": cases,
            "wall_s": wall_s,
            "in_samples_s": in_samples_s,
            "in_samples_share": in_samples_s / wall_s if wall_s else None,
            "wall_per_case_s": wall_s / cases if cases else None,
        }


def totals(runs):
    """Return (number of runs, number of cases, wall seconds, seconds within samples), summed over runs."""
    return len(runs), *(sum(getattr(run, name) for run in runs) for name in ("cases", "wall_s", "in_samples_s"))


def total(analysis):
    """Return the sums of `totals` over all kernels."""
    every = [totals(metadata.runs) for metadata in analysis.results.kernels.values()]
    return tuple(map(sum, zip(*every, strict=True)))
