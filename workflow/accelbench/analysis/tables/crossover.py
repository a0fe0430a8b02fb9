"""From which size on each implementation overtakes the baseline, and when it has repaid its start-up."""

import math
from dataclasses import dataclass

from accelbench.analysis.cases import PINNED, describe
from accelbench.analysis.choices import TIMINGS, by_threads, group_by, measured_pinned
from accelbench.analysis.rows import Row
from accelbench.analysis.tables.startup import StartupRow
from accelbench.analysis.verdicts import FASTER, overtaking


@dataclass(frozen=True, kw_only=True)
class CrossoverRow(Row):
    """An implementation on a device with so many threads; verdicts.Overtaking says what the words mean.

    calls_to_repay  after which start-up and calls at `largest_size` together took less time than the baseline's
    """

    machine: str
    kernel: str
    options: str
    implementation: str
    backend: str
    device: str | None
    dtype: str
    threads: int | None
    timing: str
    crossover: str | None
    not_faster_size: int | None
    faster_from_size: int | None
    faster_sizes: str | None
    compared_sizes: int
    largest_size: int
    startup_s: float | None
    baseline_startup_s: float | None
    calls_to_repay: int | None
    source_lines: int | None

    @classmethod
    def rows(cls, analysis):
        startup = {row.key: row.startup_s for row in analysis.table(StartupRow)}
        pinned = measured_pinned(analysis.cases)
        rows = []
        for kind in (*TIMINGS, PINNED):
            bests = [
                best
                for best in analysis.bests(kind, by_threads)
                if best.case.has_rival_baseline and (kind != PINNED or best.case.problem in pinned)
            ]
            curves = group_by(bests, lambda best: tuple(describe(best.case, cls).values()))
            rows += [_row(curve, kind, startup) for curve in curves.values()]
        return sorted(rows, key=_order)


def _order(row):
    return row.kernel, row.options, row.dtype, row.implementation, row.device or "", row.threads or 0


def _row(curve, kind, startup):
    speedups = {best.case.record.size: best.speedup() for best in curve}
    result = overtaking({size: speedup.verdict for size, speedup in speedups.items()})
    largest = max(curve, key=lambda best: best.case.record.size)
    own, numpy = (startup.get(StartupRow.key_of(case)) for case in (largest.case, largest.case.baseline.case))
    record = largest.case.record
    return CrossoverRow(
        **describe(largest.case, CrossoverRow),
        timing=kind,
        crossover=result.crossover,
        not_faster_size=result.not_faster_size,
        faster_from_size=result.faster_from_size,
        faster_sizes=" ".join(map(str, result.faster_sizes)) or None,
        compared_sizes=sum(speedup.verdict is not None for speedup in speedups.values()),
        largest_size=record.size,
        startup_s=own,
        baseline_startup_s=numpy,
        calls_to_repay=_calls_to_repay(own, numpy, seconds=largest.seconds, speedup=speedups[record.size]),
    )


def _calls_to_repay(startup, baseline_startup, *, seconds, speedup):
    """Calls after which start-up and calls together took less time than the baseline's; None if never, or unsure."""
    if speedup.verdict != FASTER or startup is None or baseline_startup is None:
        return None
    return max(0, math.ceil((startup - baseline_startup) / (seconds * (speedup.ratio - 1))))
