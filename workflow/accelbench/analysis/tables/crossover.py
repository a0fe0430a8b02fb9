"""Size from which on each implementation is faster than the baseline, and number of calls that repay its start-up.

A row describes an implementation on a device with a number of threads, by one kind of time (`timing`). The class
verdicts.Overtaking explains `crossover` and the sizes. `calls_to_repay` is the number of calls at `largest_size`
after which start-up and calls together take less time than those of the baseline.
"""

import math
from operator import itemgetter

from accelbench.analysis.cases import PINNED
from accelbench.analysis.choices import TIMINGS, by_threads, group_by, measured_pinned
from accelbench.analysis.rows import columns, describe
from accelbench.analysis.startup import key_of
from accelbench.analysis.verdicts import FASTER, overtaking

COLUMNS = columns(
    ("machine kernel options implementation backend device dtype", str),
    ("threads", int),
    ("timing crossover", str),
    ("not_faster_size faster_from_size", int),
    ("faster_sizes", str),
    ("compared_sizes largest_size", int),
    ("startup_s baseline_startup_s", float),
    ("calls_to_repay source_lines", int),
)


def rows(analysis):
    pinned, table = measured_pinned(analysis.cases), []
    for kind in (*TIMINGS, PINNED):
        bests = [
            best
            for best in analysis.bests(kind, by_threads)
            if best.case.baseline and not best.case.is_baseline and (kind != PINNED or best.case.problem in pinned)
        ]
        curves = group_by(bests, lambda best: (*best.case.problem[:3], *by_threads(best.case)[1:]))
        table += [_row(curve, kind, analysis.startup) for curve in curves.values()]
    order = itemgetter("kernel", "options", "dtype", "implementation")
    return sorted(table, key=lambda row: (*order(row), row["device"] or "", row["threads"] or 0))


def _row(curve, kind, startup):
    result = overtaking({best.case.record.size: best.speedup.verdict for best in curve})
    largest = max(curve, key=lambda best: best.case.record.size)
    started = (startup.get(key_of(case)) for case in (largest.case, largest.case.baseline.case))
    startup_s, baseline = (times and times.total_s for times in started)
    return {
        **describe(largest.case, COLUMNS),
        "timing": kind,
        "crossover": result.crossover,
        "not_faster_size": result.not_faster_size,
        "faster_from_size": result.faster_from_size,
        "faster_sizes": " ".join(map(str, result.faster_sizes)) or None,
        "compared_sizes": sum(best.speedup.verdict is not None for best in curve),
        "largest_size": largest.case.record.size,
        "startup_s": startup_s,
        "baseline_startup_s": baseline,
        "calls_to_repay": calls_to_repay(largest, startup_s, baseline),
    }


def calls_to_repay(best, startup_s, baseline):
    """Return the number of calls after which start-up and calls together take less time than those of the baseline.

    Return None if the Best is not FASTER, or if a start-up time is unknown.

    startup_s, baseline  start-up times of the Best and of the baseline, in seconds
    """
    if best.speedup.verdict != FASTER or startup_s is None or baseline is None:
        return None
    return max(0, math.ceil((startup_s - baseline) / (best.seconds * (best.speedup.ratio - 1))))
