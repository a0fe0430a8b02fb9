"""What folders of results say of the measuring itself: of one sweep, and of two of the same thing."""

import math
from collections import Counter

from planting import Row, at_most

from accelbench.analysis.analysis import Analysis
from accelbench.analysis.tables.timings import TimingRow
from accelbench.analysis.verdicts import VERDICTS
from accelbench.compare import pairs
from accelbench.statistics import median
from accelbench.store.load import load_results

CALLED, DISJOINT = 0.03, 0.02  # of the same thing twice
HALF_CPU, HALF_CPU_NEXT, HALF_DEVICE, HALF_DEVICE_OVER_NUMPY = 0.02, 0.05, 0.005, 0.06
ABOVE_PEAK = 1.05
LAUNCH_BOUND, NOISY = 0.05, 0.05


def rows(_, options):
    """Each of one or two folders, then both of them together."""
    both = [load_results(folder) for folder in options.folders]
    found = [row for folder, results in zip(options.folders, both, strict=True) for row in _alone(folder.name, results)]
    return found + (_together(*both) if len(both) == 2 else [])


def _half(low, high):
    return math.log(high / low) / 2


def _median(values):
    values = list(values)
    return median(values) if values else None


def _alone(name, results):
    analysis = Analysis(results)
    kept = [row for row in analysis.table(TimingRow) if row.outcome == "ok" and not row.kernel.startswith(pairs.PEAK)]
    rated = [row for row in kept if row.speedup_ci_low and row.case != row.baseline]
    host = [row for row in rated if row.device in results.machine.host_devices]
    device = [row for row in rated if row.device not in results.machine.host_devices]
    found = [
        at_most(f"{name}: half width of a speedup on the host, median of {len(host)}",
                _median(_half(row.speedup_ci_low, row.speedup_ci_high) for row in host), HALF_CPU),
        at_most(f"{name}: the same of where the next sweep will put it",
                _median(_half(row.speedup_next_low, row.speedup_next_high) for row in host), HALF_CPU_NEXT),
    ]  # fmt: skip
    if device:
        found += [
            at_most(f"{name}: half width of a device's time, median of {len(device)}",
                    _median(_half(row.compute_ci_low_s, row.compute_ci_high_s) for row in device), HALF_DEVICE),
            at_most(f"{name}: half width of ratios among a device's implementations, median",
                    _median(_among(analysis, {row.case for row in device})), HALF_DEVICE),
            at_most(f"{name}: half width of a device's speedup over NumPy, median",
                    _median(_half(row.speedup_ci_low, row.speedup_ci_high) for row in device), HALF_DEVICE_OVER_NUMPY),
            at_most(f"{name}: device cases whose time is that of launching",
                    sum(map(bool, (row.launch_bound for row in device))) / len(device), LAUNCH_BOUND),
        ]  # fmt: skip
    limited = [row for row in kept if row.fraction_ci_low]
    above = [row for row in limited if row.fraction_ci_low > ABOVE_PEAK and not row.cache_resident]
    told = [row for row in above if row.implausible]
    what = f"{name}: of {len(limited)} fractions of a peak, surely above {ABOVE_PEAK} and not told as implausible"
    return [
        *found,
        Row(what, str(len(above) - len(told)), "0", len(above) == len(told)),
        at_most(f"{name}: cases flagged noisy", sum(map(bool, (row.noisy for row in kept))) / len(kept), NOISY),
    ]


def _among(analysis, wanted):
    """Half widths of the ratios of a device's implementations to the fastest of their problem."""
    by_problem = {}
    for case in analysis.cases:
        if case.id in wanted:
            by_problem.setdefault((case.problem, case.record.device), []).append(case)
    for several in by_problem.values():
        fastest, *others = sorted(several, key=lambda case: case.seconds("compute"))
        for other in others:
            compared = fastest.scatter.between(
                other.samples("compute"), fastest.samples("compute"), None, kind=fastest.pool("compute", other)
            )
            if compared.low:
                yield _half(compared.low, compared.high)


def _together(first, second):
    compared = pairs.compare(first, second)
    counts = Counter(pair.verdict for pair in compared.pairs)
    rated = [{row.case: row for row in Analysis(results).table(TimingRow)} for results in (first, second)]
    common = [(rated[0][case], rated[1][case]) for case in rated[0].keys() & rated[1].keys()]
    common = [both for both in common if all(row.speedup_next_low and row.case != row.baseline for row in both)]
    disjoint = [
        a for a, b in common if a.speedup_next_high < b.speedup_next_low or b.speedup_next_high < a.speedup_next_low
    ]
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
    decided = sum(counts[verdict] for verdict in VERDICTS)
    return [
        Row(f"compare, by times {compared.by}", verdicts),
        at_most(f"called FASTER or SLOWER, of {decided} with a verdict", compared.share_called, CALLED),
        at_most(f"intervals of speedups for the next sweep that are disjoint, of {len(common)}",
                len(disjoint) / len(common) if common else None, DISJOINT),
    ]  # fmt: skip
