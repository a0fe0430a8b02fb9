"""From tables to the figures and rows about block sizes."""

import math
from collections import defaultdict

from accelbench.analysis.tables.peaks import PeakRow
from accelbench.analysis.tables.regret import RegretRow
from accelbench.figures import block_figures, drawing, style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.drawing import Plot
from accelbench.report.curves import block_order, device_labels, mute

LONGEST_NAME = 16  # of a device in a title
FEW = 3  # cases named of those that one reason explains
NEAR = 0.2  # the peak is drawn where the best reaches this share of it; farther off it would dwarf all the rest
RATES = {"B/s": ("bandwidth_gb_s", "Bandwidth"), "flop/s": ("gflop_s", "Computing rate")}


def plots(analysis, kernel, series, title, suffix):
    """("blocks", Plot) for each device: lines over block sizes, or maps where blocks have two dimensions."""
    devices = defaultdict(list)
    for row in analysis.table(RegretRow, kernel):
        if row.case in series.timings:
            devices[row.device].append(row)
    for device, rows in devices.items():
        size = max(row.size for row in rows)
        lines = [_Swept(series, row) for row in _one_each(row for row in rows if row.size == size)]
        lines = [line for line in lines if len(line.timed) > 1]
        if not lines:
            continue
        named = device if len(device) <= LONGEST_NAME else analysis.short_devices[device]
        where = f", {named}" if len(devices) > 1 or analysis.gpus else ""
        heading = f"{title}, size {style.size(size)}{where}"
        name = f"{suffix}-{analysis.short_devices[device]}" if where else suffix
        draw = _maps if any(line.crosses for line in lines) else _lines
        yield "blocks", draw(analysis, kernel, series, lines, heading, f"{kernel}-blocks-{style.slug(name)}")


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
        self.cases = {case.block_size: case for case in sorted(cases, key=lambda case: block_order(case.block_size))}
        self.timed = {block: case for block, case in self.cases.items() if case.compute_s is not None}
        self.tie = (row.tie or "").split(" ")

    @property
    def crosses(self):
        """Whether its blocks span a plane: two of them share one extent and differ in the other."""
        shapes = [shape(block) for block in self.cases]
        return all(len(s) == 2 for s in shapes) and len(shapes) > max(len({s[i] for s in shapes}) for i in (0, 1))


def shape(block):
    """ "32x8" -> (32, 8)."""
    return tuple(map(int, block.split("x")))


def _lines(analysis, kernel, series, swept, heading, name):
    blocks = sorted({block for line in swept for block in line.timed}, key=block_order)
    flat = all("x" not in block for block in blocks)
    places = {block: math.log2(int(block)) if flat else place for place, block in enumerate(blocks)}
    unit, peak = _unit(analysis, swept)
    label, threads = device_labels(analysis, kernel), defaultdict(set)
    for each in swept:
        threads[each.row.implementation].add(each.row.threads)
    lines = []
    for each in swept:
        row, several = each.row, threads[each.row.implementation]
        points = [(places[block], *_measure(case, unit), case.case) for block, case in each.timed.items()]
        text = row.implementation if analysis.gpus else label(row)
        text += f" · {row.threads}T" if len(several) > 1 else ""
        fewest_threads = len(several) > 1 and row.threads == min(several)
        (line,) = series.line(text, fewest_threads, row.implementation, points)
        lines.append(
            block_figures.BlockLine(
                **vars(line),
                best=places[row.best_block_size],
                tie=[places[block] for block in each.tie if block in places],
                occupancy=[each.timed[block].occupancy for block in each.timed],
            )
        )
    lines.sort(key=lambda line: line.y[-1], reverse=True)
    lines = mute(lines, series.baseline, unit != "s")
    what = "Time" if unit == "s" else RATES[unit][1]
    show = style.seconds if unit == "s" else lambda value: style.rate(value, unit)
    columns, rows, key = drawing.numbers(lines, "block size", show, {places[block]: block for block in blocks})
    return Plot(
        name,
        block_figures.against_block_size,
        {"lines": lines, "ticks": {x: block for block, x in places.items()}, "unit": unit, "peak": peak},
        f"{what} against block size, {heading}",
        f"{analysis.kernels[kernel].title}, {heading}: {what.lower()} of one call by block size. {_told_best(swept)}"
        + (f" The device's peak is {show(peak)}." if peak else ""),
        columns,
        rows,
        key,
        note=_told_launched(swept),
    )


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
    bound = [line for line in swept if line.cases[line.row.best_block_size].launch_bound]
    names = ", ".join(dict.fromkeys(line.row.implementation for line in bound))
    return f"At their best as fast as the host can launch them: {names}." if names else ""


def _maps(analysis, kernel, series, swept, heading, name):
    blocks = sorted({block for line in swept for block in line.cases}, key=block_order)
    swept = sorted(swept, key=lambda line: line.row.best_s)
    maps = [
        block_figures.BlockMap(
            line.row.implementation + (f" · {line.row.threads}T" if line.row.threads else ""),
            series.look(line.row.implementation).color,
            {shape(block): case.compute_s for block, case in line.timed.items()},
            [shape(block) for block in line.cases if block not in line.timed],
            shape(line.row.best_block_size),
            [shape(block) for block in line.tie if block],
            [shape(block) for block, case in line.timed.items() if case.implausible],
        )
        for line in swept
    ]
    rows = [[block, *(_cell(line.cases.get(block)) for line in swept)] for block in blocks]
    doubt = HATCHED if any(m.implausible for m in maps) else ""
    return Plot(
        name,
        block_figures.block_maps,
        {"maps": maps},
        f"Time by two-dimensional block, {heading}",
        f"{analysis.kernels[kernel].title}, {heading}: time of one call with blocks of bx by by threads, relative to "
        f"each implementation's best, which is framed; thin frames cannot be told from it. {_told_best(swept)} "
        + _told_missing(swept),
        ["block", *(m.label for m in maps)],
        rows,
        note=f"{_told_launched(swept)} {doubt}".strip(),
    )


def _cell(case):
    if case is None:
        return ""
    return style.seconds(case.compute_s) if case.compute_s is not None else case.outcome.replace("_", " ")


def _told_missing(swept):
    """Which blocks are hatched, and why."""
    reasons = defaultdict(list)
    for line in swept:
        for block, case in line.cases.items():
            if block not in line.timed:
                who = f"{line.row.implementation} {block}"
                reasons[f"{case.outcome.replace('_', ' ')}: {case.reason}"].append(who)
    told = []
    for why, who in reasons.items():
        rest = f" and {len(who) - FEW} more" if len(who) > FEW else ""
        told.append(f"{', '.join(who[:FEW])}{rest} ({why})")
    return f"Hatched: {'; '.join(told)}." if told else ""
