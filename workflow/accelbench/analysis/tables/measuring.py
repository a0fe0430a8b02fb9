"""What the measuring itself cost."""

from dataclasses import dataclass

from accelbench.analysis.rows import Row

TOTAL = "total"


@dataclass(frozen=True, kw_only=True)
class MeasuringRow(Row):
    """A kernel over all its runs, and all of them as the kernel TOTAL. `cases` were measured in those runs, so a case
    measured again counts again; what one more case costs is `wall_per_case_s`."""

    machine: str
    kernel: str
    runs: int
    cases: int
    wall_s: float
    in_samples_s: float
    in_samples_share: float | None
    wall_per_case_s: float | None

    @classmethod
    def rows(cls, analysis):
        machine = analysis.machine.name
        rows = [_row(machine, kernel, metadata.runs) for kernel, metadata in analysis.results.kernels.items()]
        sums = {name: sum(getattr(row, name) for row in rows) for name in ("runs", "cases", "wall_s", "in_samples_s")}
        return [*rows, _with_shares(machine, TOTAL, sums)]


def _row(machine, kernel, runs):
    sums = {name: sum(getattr(run, name) for run in runs) for name in ("cases", "wall_s", "in_samples_s")}
    return _with_shares(machine, kernel, {"runs": len(runs), **sums})


def _with_shares(machine, kernel, sums):
    cases, wall_s, in_samples_s = (sums[name] for name in ("cases", "wall_s", "in_samples_s"))
    return MeasuringRow(
        machine=machine,
        kernel=kernel,
        **sums,
        in_samples_share=in_samples_s / wall_s if wall_s else None,
        wall_per_case_s=wall_s / cases if cases else None,
    )
