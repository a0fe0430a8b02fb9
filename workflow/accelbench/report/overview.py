"""NumPy's rivals on a kernel's page: from which size each implementation pays, and what NumPy has itself."""

import math
from collections import defaultdict
from dataclasses import dataclass

from accelbench.analysis import Analysis
from accelbench.analysis.analysis import Family
from accelbench.analysis.cases import PINNED, Case
from accelbench.analysis.choices import by_implementation, group_by, measured_pinned
from accelbench.analysis.choosing import Best
from accelbench.analysis.startup import key_of
from accelbench.analysis.tables.crossover import calls_to_repay
from accelbench.analysis.verdicts import FASTER, Overtaking, overtaking


@dataclass(frozen=True)
class Paying:
    """From which size an implementation pays: its Best at the largest size, with {kind of time: Overtaking}."""

    best: Best
    overtaking: dict[str, Overtaking]
    startup_s: float | None
    calls_to_repay: int | None


def faster_numpy(analysis: Analysis, kernel: str) -> list[Case]:
    """The NumPy implementations that no baseline is chosen among and that are FASTER than it anywhere: of each the Case
    with the largest speedup, the fastest of them first."""
    own = (case for case in analysis.by_kernel[kernel] if case.record.backend == "numpy" and not case.is_baseline)
    faster = [case for case in own if case.speedup("compute").verdict == FASTER]
    best = {}
    for case in sorted(faster, key=lambda case: case.speedup("compute").ratio, reverse=True):
        best.setdefault(case.record.implementation, case)
    return list(best.values())


def paying(analysis: Analysis, family: Family) -> tuple[list[str], list[Paying]]:
    """(kinds of time, a Paying for each implementation on a device but the baselines), those that pay at smaller sizes
    first."""
    pinned = measured_pinned(filter(family.holds, analysis.by_kernel[family.kernel]))
    kinds = ["compute", "end_to_end", *([PINNED] if pinned else [])]
    found = defaultdict(dict)
    for kind in kinds:
        bests = (
            b for b in analysis.bests(kind, by_implementation) if family.holds(b.case) and b.case.has_rival_baseline
        )
        for key, several in group_by(bests, lambda best: by_implementation(best.case)[1:]).items():
            found[key][kind] = {best.case.record.size: best for best in several}
    rows = [_paying(analysis, by_kind) for by_kind in found.values()]
    return kinds, sorted(
        rows, key=lambda row: (row.overtaking["compute"].faster_from_size or math.inf, row.best.case.order)
    )


def _paying(analysis, by_kind):
    largest = by_kind["compute"][max(by_kind["compute"])]
    verdicts = {kind: {size: b.speedup.verdict for size, b in own.items()} for kind, own in by_kind.items()}
    startup = analysis.startup.get(key_of(largest.case))
    return Paying(
        largest,
        {kind: overtaking(own) for kind, own in verdicts.items()},
        startup and startup.total_s,
        calls_to_repay(largest, analysis.startup),
    )
