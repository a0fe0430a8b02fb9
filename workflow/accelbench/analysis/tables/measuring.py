"""What the measuring itself cost.

A row is a kernel over all its runs, and all of them are the kernel "total". `cases` were measured in those runs, so a
case measured again counts again; what one more case costs is `wall_per_case_s`.
"""

from accelbench.analysis.rows import columns

COLUMNS = columns(
    ("machine kernel", str),
    ("runs cases", int),
    ("wall_s in_samples_s in_samples_share wall_per_case_s", float),
)


def rows(analysis):
    found = {kernel: totals(metadata.runs) for kernel, metadata in analysis.results.kernels.items()}
    for kernel, (runs, cases, wall_s, in_samples_s) in {**found, "total": total(analysis)}.items():
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
    """(number, cases, seconds, seconds within samples) of runs."""
    return len(runs), *(sum(getattr(run, name) for run in runs) for name in ("cases", "wall_s", "in_samples_s"))


def total(analysis):
    """The totals of all kernels."""
    every = [totals(metadata.runs) for metadata in analysis.results.kernels.values()]
    return tuple(map(sum, zip(*every, strict=True)))
