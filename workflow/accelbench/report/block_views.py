"""Figures of block sizes, from Cases."""

import math
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from accelbench.analysis.cases import Case, format_parameters, is_launch_bound
from accelbench.analysis.choices import group_by
from accelbench.analysis.choosing import Best
from accelbench.analysis.peaks import RATE
from accelbench.figures import style
from accelbench.figures.block_lines import BlockLines
from accelbench.model.parameters import BLOCK_SIZE

RANK = attrgetter("rank")
LONGEST_NAME = 16  # of a device in a title
MOST_LINES = 8  # of a figure, each with a mark at every block
NEAR = 0.2  # the peak is drawn where the best reaches this share of it; farther off it would dwarf all the rest


class Swept(NamedTuple):
    """An implementation over its block sizes: the best of them, and {block size: Case} of all with a time."""

    best: Best
    cases: dict

    @property
    def record(self):
        return self.best.case.record


def block_of(case: Case):
    return case.record.settings.get(BLOCK_SIZE)


def plots(series):
    """Yield ("blocks", Plot) for each device: lines over block sizes."""
    analysis = series.analysis
    bests = [best for best, _, _ in analysis.regrets if series.family.holds(best.case)]
    devices = group_by(bests, lambda best: best.case.record.device)
    for device, own in devices.items():
        size = max(best.case.record.size for best in own)
        swept = [_swept(series, best) for best in _one_each(b for b in own if b.case.record.size == size)]
        swept = [each for each in swept if len(each.cases) > 2]  # two times need no figure
        if swept:
            named = device if len(device) <= LONGEST_NAME else analysis.short_devices[device]
            where = f", {named}" if len(devices) > 1 or analysis.gpus else ""
            plot = _lines(series, swept, f"{series.family.title}, size {style.size(size)}{where}")
            suffix = f"-{style.slug(analysis.short_devices[device])}" if where else ""
            yield "blocks", replace(plot, name=f"{plot.name}{suffix}")


def _one_each(bests):
    """Of an implementation's further parameters the best ones; each number of threads apart."""
    found = {}
    for best in bests:
        key = best.case.record.implementation, best.case.record.threads
        found[key] = min(found.get(key, best), best, key=lambda each: each.seconds)
    return list(found.values())


def _swept(series, best):
    def key(case):
        r = case.record
        return r.implementation, r.device, r.size, r.threads, format_parameters(r)

    own = {block_of(c): c for c in series.cases if block_of(c) and c.seconds("compute") and key(c) == key(best.case)}
    return Swept(best, dict(sorted(own.items())))


def _lines(series, swept, heading):
    blocks = sorted({block for each in swept for block in each.cases}, key=RANK)
    flat = all(len(block.extents) == 1 for block in blocks)
    places = {block: math.log2(block.threads) if flat else place for place, block in enumerate(blocks)}
    unit, peak = _unit(series.analysis, swept)
    lines = [_line(series, each, swept, places=places, unit=unit) for each in swept]
    ticks = {place: str(block) for block, place in places.items()}
    chart = BlockLines(series.ranked(lines, unit != "s", MOST_LINES), ticks, unit, peak)
    what = {"s": "Time", "B/s": "Bandwidth", "flop/s": "Computing rate"}[unit]
    resident, where = series.resident
    best = dict.fromkeys(f"{each.record.implementation} {block_of(each.best.case)}" for each in swept)
    words = f"{what.lower()} of one call by block size{where}. Best: {', '.join(best)}."
    if peak:
        words += f" The device's peak is {chart.show(peak)}."
    bound = dict.fromkeys(each.record.implementation for each in swept if is_launch_bound(each.best.case))
    note = f"At their best as fast as the host can launch them: {', '.join(bound)}." if bound else ""
    return series.plot(
        "blocks", chart, title=f"{what} against block size{resident}", words=words, heading=heading, note=note
    )


def _line(series, each, swept, *, places, unit):
    name, threads = each.record.implementation, each.record.threads
    counts = {other.record.threads for other in swept if other.record.implementation == name}
    label = name if series.analysis.gpus else series.label(each.best.case)
    label += f" · {threads}T" if len(counts) > 1 else ""
    points = [(places[block], *_measure(case, unit), case) for block, case in each.cases.items()]
    (line,) = series.line(label, points, fewest_threads=len(counts) > 1 and threads == min(counts))
    tie = [places[block_of(case)] for case in each.best.tie if block_of(case) in places]
    occupancy = [case.record.occupancy for case in each.cases.values()]
    return replace(line, best=places[block_of(each.best.case)], tie=tie, occupancy=occupancy)


def _rates(case):
    """{unit: rate} of a case, as far as it has such."""
    rates = {"B/s": case.bandwidth_gb_s, "flop/s": case.gflop_s}
    return {unit: rate * 1e9 for unit, rate in rates.items() if rate}


def _unit(analysis, swept):
    """(unit, peak): the rate that rates these cases, with that peak; ("s", None) where they stay far below it."""
    cases = [case for each in swept for case in each.cases.values() if case.fraction_of_peak]
    nearest = max(cases, key=lambda case: case.fraction_of_peak, default=None)
    if nearest is None or nearest.fraction_of_peak < NEAR:
        return "s", None
    rates = {unit: rate / nearest.fraction_of_peak for unit, rate in _rates(nearest).items()}
    peaks = [peak.rate for peak in analysis.peaks if peak.name == RATE and peak.dtype == nearest.record.dtype]
    computes = any(math.isclose(rates.get("flop/s", 0), peak, rel_tol=1e-3) for peak in peaks)
    unit = "flop/s" if computes else "B/s"
    return (unit, rates[unit]) if unit in rates else ("s", None)


def _measure(case, unit):
    """Value and interval of a case in a unit."""
    timing = case.timing("compute")
    seconds, low, high = timing.median_s, timing.ci_low_s, timing.ci_high_s
    if unit == "s":
        return seconds, low, high
    rate = _rates(case)[unit]
    return rate, rate * seconds / (high or seconds), rate * seconds / (low or seconds)
