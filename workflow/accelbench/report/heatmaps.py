"""Heatmaps of the speedup of each backend for every kernel: a base map and a peak map.

The base map compares only implementations of the main algorithm with strict floating-point math, built for the native
target, with one thread of the cores. The peak map shows the fastest implementation of each backend.
"""

from collections import Counter, defaultdict

from accelbench.analysis.choices import by_backend, compare
from accelbench.decide.answer import KNOWN
from accelbench.figures import cells as maps
from accelbench.figures import style
from accelbench.pages.pictures import Plot
from accelbench.report.curves import time_shown

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
NO_BASELINE = "–"  # Text of a cell whose backend has a time, if NumPy has no time
OTHER_SIZE = "other size"  # Text of a cell whose backend was measured only at other sizes
SIZES = " Larger sizes of {} were measured, too, but not with all of these backends, or not with NumPy."


HOLLOW = "no base"  # Text of a cell of the base map whose backend has no base implementation


def plots(analysis, *, base=False):
    """Yield Plots of speedups at the size that the function `largest` returns.

    The first Plot shows the first dtype of each kernel, the second Plot the second dtype, and so on.
    """
    ranks = defaultdict(list)
    for kernel in analysis.kernels:
        families = analysis.families(kernel)
        for family in families:
            ranks[list(dict.fromkeys(f.dtype for f in families)).index(family.dtype)].append(family)
    for families in ranks.values():
        yield _plot(analysis, families, base)


def _plot(analysis, families, base):
    """Return the Plot with a column for each family (kernel, dtype and options).

    A row shows the fastest implementations of a backend on a device.
    """
    main_dtype = Counter(family.dtype for family in families).most_common(1)[0][0]
    sizes = [largest(analysis, family) for family in families]
    cells, backends = defaultdict(dict), {}
    for column, (family, (size, _)) in enumerate(zip(families, sizes, strict=True)):
        for (label, backend), cell in backend_cells(analysis, family, size, base=base).items():
            cells[label][column], backends[label] = cell, backend
    # Sort the rows in the order of the backends' colours. Backends without a colour come last.
    labels = sorted(cells, key=lambda label: ([*style.LIGHT, backends[label]].index(backends[label]), label))
    rows = {label: [cells[label].get(column) for column in range(len(families))] for label in labels}
    note = " (columns of other dtypes name the dtype)" if len({f.dtype for f in families}) > 1 else ""
    _, resident, where = time_shown(analysis)
    drawn_cells = [cell for row in rows.values() for cell in row if cell]
    sentences = {
        "One row per backend and device with its fastest implementation, one column per kernel, "
        f"in {main_dtype}{note}{where}.": True,
        "Framed: implausible, faster than this machine can be.": any(cell.implausible for cell in drawn_cells),
        "Hatched: another algorithm than the kernel's main one.": any(cell.unlike for cell in drawn_cells),
    }
    words = " ".join(sentence for sentence, holds in sentences.items() if holds)
    smaller = dict.fromkeys(f.kernel for f, (_, smaller) in zip(families, sizes, strict=True) if smaller)
    larger = SIZES.format(", ".join(smaller)) if smaller else ""
    name, which, what = (
        ("overview-base", "Base: backends", "All by one algorithm, strict, native, with one thread of the cores.")
        if base
        else (
            "overview-backends",
            "Peak: the best of each backend",
            "Each backend with its fastest implementation, regardless of algorithm and number of threads.",
        )
    )
    title = f"{which} over NumPy at the largest size{resident}, {main_dtype}"
    colors = {label: style.color(backends[label]) for label in labels}
    chart = maps.SpeedupMap(rows, colors, list(_columns(families, main_dtype, sizes)))
    return Plot(f"{name}-{main_dtype}", chart, title, words, note=f"{what}{larger}")


def _columns(families, main_dtype, sizes):
    """Yield the label of each column: kernel and size.

    Add the dtype if it is not `main_dtype`, and the options if the kernel has several columns.
    """
    counts = Counter(family.kernel for family in families)
    for family, (size, _) in zip(families, sizes, strict=True):
        dtype = family.dtype if family.dtype != main_dtype else ""
        options = family.options if counts[family.kernel] > 1 else ""
        yield " ".join(filter(None, [family.kernel, dtype, options, style.size(size)]))


def largest(analysis, family):
    """Return (size shown in the heatmap, whether larger sizes were planned).

    The shown size is the largest size that has a speedup and available backends other than NumPy and Python. If such
    backends are available on the cores and on GPUs, the size must be planned on both. If there is no such size, the
    largest with a speedup is shown. Without any speedup, it is the largest with such backends, or else of all.
    """
    sides, sizes, compared, devices = defaultdict(set), set(), set(), {"cpu", *analysis.gpus}
    for case in filter(family.holds, analysis.by_kernel[family.kernel]):
        record = case.record
        sizes.add(record.size)
        if case.speedup("compute").ratio is not None:
            compared.add(record.size)
        if record.device in devices and record.backend not in KNOWN and record.outcome != "unavailable":
            sides[record.device == "cpu"].add(record.size)
    shared = set.intersection(*sides.values()) if sides else set()
    size = max(shared & compared or compared or shared or sizes)
    return size, size < max(sizes)


def backend_cells(analysis, family, size, *, base=False):
    """Return {(label, backend): Cell} of each backend on each device.

    A Cell has the speedup of the fastest implementation, or an outcome if there is no speedup. Backends are omitted if
    all of their cases were unavailable. In the base map, speedups are relative to the fastest NumPy of base.
    """

    def key(record):
        here = record.device in (None, "cpu")
        return record.backend if here else f"{record.backend} · {analysis.short_devices[record.device]}", record.backend

    cells, problem, algorithms = {}, (*family.problems, size), analysis.kernels[family.kernel].algorithms
    kind, *_ = time_shown(analysis)
    numpy = min(
        (b for b in analysis.implementations(kind, base=True).get(problem, ()) if b.case.is_baseline),
        key=lambda best: best.seconds,
        default=None,
    )
    for best in analysis.bests(kind, by_backend, base=base):
        if best.case.problem != problem:
            continue
        compared = numpy and compare(best, numpy) if base else best.speedup
        if compared and compared.ratio is not None:
            sure, name = compared.verdict != "AMBIGUOUS", best.case.record.implementation
            unlike = best.case.record.algorithm not in (None, next(iter(algorithms), None))
            cell = maps.Cell(compared.ratio, "", sure, best.case.implausible, note=name, unlike=unlike)
            cells[key(best.case.record)] = cell
    others = (
        case.record
        for case in filter(family.holds, analysis.by_kernel[family.kernel])
        if case.record.outcome != "unavailable"
    )
    for record in sorted(others, key=lambda record: (record.size != size, record.outcome != "ok")):
        word = WORDS.get(record.outcome, HOLLOW if base else NO_BASELINE) if record.size == size else OTHER_SIZE
        cells.setdefault(key(record), maps.Cell(None, word, note=record.implementation))
    return cells
