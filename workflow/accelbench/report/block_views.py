"""From tables to the figures and rows about block sizes."""

import math
from collections import defaultdict
from dataclasses import replace
from operator import attrgetter

from accelbench.analysis.tables.peaks import PeakRow
from accelbench.analysis.tables.regret import RegretRow
from accelbench.figures import style
from accelbench.figures.block_lines import BlockLines
from accelbench.model.parameters import BlockSize

RANK = attrgetter("rank")
LONGEST_NAME = 16  # of a device in a title
MOST_LINES = 8  # of a figure, each with a mark at every block
NEAR = 0.2  # the peak is drawn where the best reaches this share of it; farther off it would dwarf all the rest
RATES = {"B/s": ("bandwidth_gb_s", "Bandwidth"), "flop/s": ("gflop_s", "Computing rate")}


def plots(series):
    """Yield ("blocks", Plot) for each device: lines over block sizes."""
    analysis, devices = series.analysis, defaultdict(list)
    for row in analysis.table(RegretRow, series.family.kernel):
        if row.case in series.timings:
            devices[row.device].append(row)
    for device, rows in devices.items():
        size = max(row.size for row in rows)
        swept = [_Swept(series, row) for row in _one_each(row for row in rows if row.size == size)]
        swept = [each for each in swept if len(each.timed) > 2]  # two times need no figure
        if not swept:
            continue
        named = device if len(device) <= LONGEST_NAME else analysis.short_devices[device]
        where = f", {named}" if len(devices) > 1 or analysis.gpus else ""
        heading = f"{series.family.title}, size {style.size(size)}{where}"
        plot = _lines(series, swept, heading)
        suffix = f"-{style.slug(analysis.short_devices[device])}" if where else ""
        yield "blocks", replace(plot, name=f"{plot.name}{suffix}")


def _one_each(rows):
    """Of an implementation's further parameters the best ones; each number of threads apart."""
    best = {}
    for row in rows:
        key = row.implementation, row.threads
        if key not in best or row.best_s < best[key].best_s:
            best[key] = row
    return list(best.values())


class _Swept:
    """An implementation's cases over block sizes, and which of them are the best."""

    def __init__(self, series, row):
        self.row = row
        same = ("implementation", "device", "size", "threads", "parameters")
        cases = [
            c
            for c in series.timings.values()
            if c.block_size and all(getattr(c, name) == getattr(row, name) for name in same)
        ]
        self.cases = dict(
            sorted(((BlockSize.parse(case.block_size), case) for case in cases), key=lambda pair: pair[0])
        )
        self.timed = {block: case for block, case in self.cases.items() if case.compute_s is not None}
        self.best = BlockSize.parse(row.best_block_size)
        self.tie = [BlockSize.parse(block) for block in (row.tie or "").split()]


def _lines(series, swept, heading):
    blocks = sorted({block for each in swept for block in each.timed}, key=RANK)
    flat = all(len(block.extents) == 1 for block in blocks)
    places = {block: math.log2(block.threads) if flat else place for place, block in enumerate(blocks)}
    unit, peak = _unit(series.analysis, swept)
    lines = [_line(series, each, swept, places=places, unit=unit) for each in swept]
    ticks = {place: str(block) for block, place in places.items()}
    chart = BlockLines(series.ranked(lines, unit != "s", MOST_LINES), ticks, unit, peak)
    what = "Time" if unit == "s" else RATES[unit][1]
    resident, where = series.resident
    words = f"{what.lower()} of one call by block size{where}. {_told_best(swept)}"
    if peak:
        words += f" The device's peak is {chart.show(peak)}."
    title = f"{what} against block size{resident}"
    return series.plot("blocks", chart, title=title, words=words, heading=heading, note=_told_launched(swept))


def _line(series, each, swept, *, places, unit):
    row = each.row
    counts = {other.row.threads for other in swept if other.row.implementation == row.implementation}
    label = row.implementation if series.analysis.gpus else series.label(row)
    label += f" · {row.threads}T" if len(counts) > 1 else ""
    points = [(places[block], *_measure(case, unit), case.case) for block, case in each.timed.items()]
    fewest_threads = len(counts) > 1 and row.threads == min(counts)
    (line,) = series.line(label, row.implementation, points, fewest_threads=fewest_threads)
    tie = [places[block] for block in each.tie if block in places]
    return replace(line, best=places[each.best], tie=tie, occupancy=[c.occupancy for c in each.timed.values()])


def _unit(analysis, swept):
    """(unit, peak): the rate that rates these cases, with that peak; ("s", None) where they stay far below it."""
    cases = [case for line in swept for case in line.timed.values() if case.fraction_of_peak]
    nearest = max(cases, key=lambda case: case.fraction_of_peak, default=None)
    if nearest is None or nearest.fraction_of_peak < NEAR:
        return "s", None
    rates = {
        unit: getattr(nearest, column) * 1e9 / nearest.fraction_of_peak
        for unit, (column, _) in RATES.items()
        if getattr(nearest, column)
    }
    peaks = [row.flop_per_s for row in analysis.table(PeakRow, dtype=nearest.dtype) if row.flop_per_s]
    computes = any(math.isclose(rates.get("flop/s", 0), peak, rel_tol=1e-3) for peak in peaks)
    unit = "flop/s" if computes else "B/s"
    return (unit, rates[unit]) if unit in rates else ("s", None)


def _measure(case, unit):
    """Value and interval of a case in a unit."""
    if unit == "s":
        return case.compute_s, case.compute_ci_low_s, case.compute_ci_high_s
    rate = getattr(case, RATES[unit][0]) * 1e9
    seconds = case.compute_s
    low, high = case.compute_ci_high_s or seconds, case.compute_ci_low_s or seconds
    return rate, rate * seconds / low, rate * seconds / high


def _told_best(swept):
    """The best block of each in words."""
    told = [f"{line.row.implementation} {line.row.best_block_size}" for line in swept]
    return f"Best: {', '.join(dict.fromkeys(told))}."


def _told_launched(swept):
    """Whose best block is no faster than the host can launch it."""
    bound = [line for line in swept if line.cases[line.best].launch_bound]
    names = ", ".join(dict.fromkeys(line.row.implementation for line in bound))
    return f"At their best as fast as the host can launch them: {names}." if names else ""
