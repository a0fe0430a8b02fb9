"""From tables to the heatmaps of speedups."""

from collections import Counter, defaultdict
from dataclasses import replace

from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.figures import style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.speedup_map import Cell, MapRow, SpeedupMap
from accelbench.pages.pictures import Plot
from accelbench.report.curves import device_labels

WORDS = {
    "unavailable": "n/a",
    "unsupported": "n/a",
    "build_failed": "no build",
    "wrong_result": "wrong",
    "error": "error",
    "timeout": "timeout",
    "too_slow": "too slow",
    "out_of_memory": "memory",
    "crashed": "crash",
}
NO_BASELINE = "–"  # a time, but none of NumPy to divide by
MOST_ROWS = 40  # beyond these the overview begins with a heatmap of backends


def heatmap_plots(analysis):
    """Plots of speedups at the largest size: every kernel in its first dtype, then in its second, and so on."""
    ranks = defaultdict(list)
    for kernel in analysis.kernels:
        by_dtype = defaultdict(list)
        for family in analysis.families(kernel):
            by_dtype[family.dtype].append(family)
        for rank, families in enumerate(by_dtype.values()):
            ranks[rank] += families
    for families in ranks.values():
        yield from _heatmaps(analysis, families)


def _heatmaps(analysis, families):
    """The heatmap of implementations; before it, where that is long, one of the best of each backend and device."""
    main_dtype = Counter(family.dtype for family in families).most_common(1)[0][0]
    columns = _column_labels(families, main_dtype)
    cells, places, backends = defaultdict(dict), defaultdict(dict), {}
    for column, family in enumerate(families):
        label = device_labels(analysis, family.kernel)
        for row, cell in heat_cells(analysis, family):
            name, place = label(row), _backend_label(analysis, row)
            cells[name][column] = cell
            backends[name] = backends[place] = row.backend
            best = places[place].get(column)
            if best is None or _rank(cell) > _rank(best):
                places[place][column] = replace(cell, told=row.implementation)
    others = any(family.dtype != main_dtype for family in families)
    note = f" (the column says where it is not {main_dtype})" if others else ""
    words = f"one column per kernel, in {main_dtype}{note}."
    if any(cell.implausible for row in cells.values() for cell in row.values()):
        words += f" {HATCHED}"
    long = len(cells) > MOST_ROWS
    if long:
        yield Plot(
            f"overview-backends-{main_dtype}",
            SpeedupMap(_rows(places, backends, len(columns)), columns),
            f"The best of each backend over NumPy at the largest size, {main_dtype}",
            f"One row per backend and device with its fastest implementation, {words}",
            note="Each backend with the fastest of what is written for it here, whatever its algorithm and threads.",
        )
    yield Plot(
        f"overview-speedup-{main_dtype}",
        SpeedupMap(_rows(cells, backends, len(columns)), columns, grouped=long),
        f"Speedup over NumPy at the largest size, {main_dtype}",
        f"One row per implementation, {words}",
        folded=long,
    )


def _rank(cell):
    if cell.speedup is None:
        return 0.0 if cell.word == NO_BASELINE else -1.0
    return 0.0 if cell.implausible else cell.speedup


def _backend_label(analysis, row):
    """A backend, with the device where that is not this machine's own cores without further ado."""
    device = row.device
    return row.backend if device in (None, "cpu") else f"{row.backend} · {analysis.short_devices[device]}"


def _rows(cells, backends, columns):
    """Rows of {label: {column: Cell}}, in the order of their backends."""
    names = sorted(cells, key=lambda name: (style.backend_order(backends[name]), name))
    return [MapRow(name, style.color(backends[name]), [cells[name].get(c) for c in range(columns)]) for name in names]


def _column_labels(families, main_dtype):
    """A kernel's name, with dtype and options where the columns would not be clear without."""
    counts = Counter(family.kernel for family in families)
    labels = []
    for family in families:
        dtype = family.dtype if family.dtype != main_dtype else ""
        options = family.options if counts[family.kernel] > 1 else ""
        labels.append(" ".join(filter(None, [family.kernel, dtype, options])))
    return labels


def heat_cells(analysis, family):
    """(row, Cell) of each implementation and device at the largest size of its problems; the row is one of its cases.

    What was unavailable throughout has none: the outcomes say why.
    """
    own = {"kernel": family.kernel, "dtype": family.dtype, "options": family.options}
    planned = analysis.table(TimingRow, **own)
    largest = max(row.size for row in planned)
    best = {
        (row.implementation, row.device): row
        for row in analysis.table(BestRow, **own, size=largest)
        if row.speedup is not None
    }
    seen = set()
    for row in planned:
        key = row.implementation, row.device
        if row.size != largest or key in seen or row.outcome == "unavailable":
            continue
        seen.add(key)
        if chosen := best.get(key):
            yield row, Cell(chosen.speedup, "", chosen.verdict != "AMBIGUOUS", chosen.implausible)
        else:
            yield row, Cell(None, WORDS.get(row.outcome, NO_BASELINE))
