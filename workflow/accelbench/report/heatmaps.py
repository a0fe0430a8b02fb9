"""From tables to the heatmaps of speedups."""

from collections import Counter, defaultdict
from dataclasses import replace

from accelbench.analysis.choices import by_backend
from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.decide.answer import KNOWN
from accelbench.figures import style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.speedup_map import Cell, MapRow, SpeedupMap
from accelbench.pages.pictures import Plot
from accelbench.report.curves import device_labels, resident_words

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
OTHER_SIZE = "other size"  # measured, though not at the size that is shown
SIZES = " Larger sizes of {} were measured, too, but not with all of these, or not with NumPy."
MOST_ROWS = 40  # beyond these the overview begins with a heatmap of backends


def heatmap_plots(analysis):
    """Plots of speedups at the `largest` size: every kernel in its first dtype, then in its second, and so on."""
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
    sizes = [largest(analysis, family) for family in families]
    columns = _column_labels(families, main_dtype, sizes)
    cells, places, backends = defaultdict(dict), defaultdict(dict), {}
    for column, (family, (size, _)) in enumerate(zip(families, sizes, strict=True)):
        label, best_of = device_labels(analysis, family.kernel), _best_cells(analysis, family, size)
        for row, cell in heat_cells(analysis, family, size):
            name, place = label(row), _backend_label(analysis, row)
            cells[name][column] = cell
            backends[name] = backends[place] = row.backend
            best = best_of.get((row.backend, row.device)) or places[place].get(column)
            if best is None or (best.speedup is None and _rank(cell) > _rank(best)):
                best = replace(cell, told=row.implementation)
            places[place][column] = best
    others = any(family.dtype != main_dtype for family in families)
    note = f" (the column says where it is not {main_dtype})" if others else ""
    resident, where = resident_words(analysis)
    words = f"one column per kernel, in {main_dtype}{note}{where}."
    if any(cell.implausible for row in cells.values() for cell in row.values()):
        words += f" {HATCHED}"
    smaller = dict.fromkeys(f.kernel for f, (_, smaller) in zip(families, sizes, strict=True) if smaller)
    told = SIZES.format(", ".join(smaller)) if smaller else ""
    long = len(cells) > MOST_ROWS
    if long:
        yield Plot(
            f"overview-backends-{main_dtype}",
            SpeedupMap(_rows(places, backends, len(columns)), columns),
            f"The best of each backend over NumPy at the largest size{resident}, {main_dtype}",
            f"One row per backend and device with its fastest implementation, {words}",
            note="Each backend with the fastest of what is written for it here, whatever its algorithm and threads."
            + told,
        )
    yield Plot(
        f"overview-speedup-{main_dtype}",
        SpeedupMap(_rows(cells, backends, len(columns)), columns),
        f"Speedup over NumPy at the largest size{resident}, {main_dtype}",
        f"One row per implementation, {words}",
        note=told.strip(),
        folded=long,
    )


def _best_cells(analysis, family, size):
    """{(backend, device): the Cell of its fastest}, told of repetitions that had no part in choosing it."""
    wanted = (family.kernel, family.options, family.dtype, size)
    found = {}
    for best in analysis.bests("compute", by_backend):
        if best.case.problem == wanted and (speedup := best.speedup()).ratio is not None:
            record, implausible = best.case.record, best.case.implausible
            cell = Cell(speedup.ratio, "", speedup.verdict != "AMBIGUOUS", implausible, told=record.implementation)
            found[record.backend, record.device] = cell
    return found


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


def _column_labels(families, main_dtype, sizes):
    """A kernel's name and size, with dtype and options where the columns would not be clear without."""
    counts = Counter(family.kernel for family in families)
    labels = []
    for family, (size, _) in zip(families, sizes, strict=True):
        dtype = family.dtype if family.dtype != main_dtype else ""
        options = family.options if counts[family.kernel] > 1 else ""
        labels.append(" ".join(filter(None, [family.kernel, dtype, options, style.size(size)])))
    return labels


def largest(analysis, family):
    """(size, whether there are larger ones): the largest with a speedup at which more than NumPy and Python was planned
    on the cores, and on GPUs where these have any; the largest with a speedup where there is none such, or of all."""
    sides, sizes, compared, devices = defaultdict(set), set(), set(), {"cpu", *analysis.gpus}
    for row in _planned(analysis, family):
        sizes.add(row.size)
        if row.speedup is not None:
            compared.add(row.size)
        if row.device in devices and row.backend not in KNOWN and row.outcome != "unavailable":
            sides[row.device == "cpu"].add(row.size)
    shared = set.intersection(*sides.values()) if sides else set()
    size = max(shared & compared or compared or shared or sizes)
    return size, size < max(sizes)


def heat_cells(analysis, family, size):
    """(row, Cell) of each implementation and device at a size of its problems; the row is one of its cases.

    What was unavailable throughout has none: the outcomes say why.
    """
    best = {
        (row.implementation, row.device): row
        for row in analysis.table(BestRow, **_problems(family), size=size)
        if row.speedup is not None
    }
    rows = {}
    for row in sorted(_planned(analysis, family), key=lambda row: row.size != size):
        if row.outcome != "unavailable":
            rows.setdefault((row.implementation, row.device), row)
    for key, row in rows.items():
        if chosen := best.get(key):
            yield row, Cell(chosen.speedup, "", chosen.verdict != "AMBIGUOUS", chosen.implausible)
        else:
            yield row, Cell(None, WORDS.get(row.outcome, NO_BASELINE) if row.size == size else OTHER_SIZE)


def _planned(analysis, family):
    return analysis.table(TimingRow, **_problems(family))


def _problems(family):
    return {"kernel": family.kernel, "dtype": family.dtype, "options": family.options}
