"""From tables to what the page shows: the lines of figures, the cells of the heatmap, the rows of tables."""

from collections import Counter, defaultdict

from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.startup import StartupRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.figures import drawing, speedup_figures, style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.drawing import Plot
from accelbench.report import block_views, device_views
from accelbench.report.curves import Series, device_labels

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
MOST_ROWS = 40  # beyond these the overview of a machine with a GPU begins with a heatmap of backends


def kernel_plots(analysis, kernel):
    """Every Plot of a kernel, grouped by what they show: {"time": [...], "speedup": [...], ...}."""
    plots = defaultdict(list)
    families = analysis.families(kernel)
    several_options = len({family.options for family in families}) > 1
    for family in families:
        series = Series(analysis, family)
        suffix = "-".join(filter(None, [family.dtype, style.slug(family.options) if several_options else ""]))
        own = (analysis, kernel, series, family.title, suffix)
        for what, found in (
            *_size_plots(*own),
            *block_views.plots(*own),
            *_thread_plots(*own),
            *device_views.transfer_plots(*own),
        ):
            plots[what].append(found)
    plots["startup"] = list(startup_plot(analysis, kernel))
    return {what: found for what, found in plots.items() if found}


def _size_plots(analysis, kernel, series, title, suffix):
    """Time and speedup against size; the ranking where there is but one size."""
    metadata = analysis.kernels[kernel]
    size_axis = {"x_label": metadata.size, "caches": series.cache_sizes(analysis.machine)}
    lines = series.time_lines()
    sizes = {x for line in lines for x in line.x}
    if len(sizes) == 1:
        yield "time", _ranking_plot(kernel, metadata, lines, *sizes, title, suffix)
        return
    if lines:
        yield (
            "time",
            Plot(
                f"{kernel}-time-{suffix}",
                speedup_figures.against_size,
                {"lines": lines, "what": "time", **size_axis},
                f"Time against size, {title}",
                f"{metadata.title}, {title}: time of one call for each implementation at its best settings. "
                + _fastest_at_end(lines, style.seconds, lowest=True),
                *drawing.numbers(lines, "size", style.seconds),
            ),
        )
    lines = series.speedup_lines()
    if lines:
        yield (
            "speedup",
            Plot(
                f"{kernel}-speedup-{suffix}",
                speedup_figures.against_size,
                {"lines": lines, "what": "speedup", **size_axis},
                f"Speedup over {metadata.baseline}, {title}",
                f"{metadata.title}, {title}: how many times faster than {metadata.baseline}. "
                + _fastest_at_end(lines, style.ratio, lowest=False),
                *drawing.numbers(lines, "size", style.ratio),
            ),
        )


def _ranking_plot(kernel, metadata, lines, size, title, suffix):
    return Plot(
        f"{kernel}-time-{suffix}",
        speedup_figures.ranking,
        {"lines": lines},
        f"Time at size {style.size(size)}, {title}",
        f"{metadata.title}, {title}: time of one call for each implementation at its best settings, fastest first. "
        + _fastest_at_end(lines, style.seconds, lowest=True),
        *drawing.numbers(lines, "size", style.seconds)[:2],
    )


def _thread_plots(analysis, kernel, series, title, suffix):
    """Scaling with threads."""
    metadata = analysis.kernels[kernel]
    size, lines = series.thread_lines()
    if lines:
        yield (
            "threads",
            Plot(
                f"{kernel}-threads-{suffix}",
                speedup_figures.against_threads,
                {"lines": lines},
                f"Scaling with threads, {title}, size {style.size(size)}",
                f"{metadata.title}, {title}, size {style.size(size)}: speedup of each over its fewest threads.",
                *drawing.numbers(lines, "threads", style.ratio),
            ),
        )


def _fastest_at_end(lines, show, lowest):
    end = max(line.x[-1] for line in lines)
    last = [line for line in lines if line.x[-1] == end]
    believed = [line for line in last if not any(line.implausible[-1:])]
    marked = HATCHED if any(any(line.implausible) for line in lines) else ""
    if not believed:
        return marked
    best = (min if lowest else max)(believed, key=lambda line: line.y[-1])
    return f"At size {style.size(end)} the lead is with {best.label}: {show(best.y[-1])}. {marked}".strip()


def startup_plot(analysis, kernel):
    """The start-up costs of a kernel's implementations: the first dtype, with most threads."""
    metadata = analysis.kernels[kernel]
    chosen = {}
    order = {dtype: place for place, dtype in enumerate(metadata.dtypes)}
    for row in analysis.table(StartupRow, kernel=kernel):
        rank = order.get(row.dtype, len(order)), -(row.threads or 0)
        key = row.implementation, row.device
        if row.startup_s is not None and (key not in chosen or rank < chosen[key][0]):
            chosen[key] = rank, row
    rows = sorted((row for _, row in chosen.values()), key=lambda row: row.startup_s)
    if not rows:
        return
    names = [*map(device_labels(analysis, kernel), rows)]
    parts = [
        [row.import_s or 0.0, row.context_s or 0.0, row.build_s or 0.0, row.first_call_extra_s or 0.0] for row in rows
    ]
    yield Plot(
        f"{kernel}-startup",
        speedup_figures.startup,
        {"names": names, "colors": [style.color(row.backend) for row in rows], "parts": parts},
        "Start-up, once per process",
        f"{metadata.title}: seconds until the first result, the least being {names[0]} with "
        f"{style.seconds(rows[0].startup_s)}, the most {names[-1]} with {style.seconds(rows[-1].startup_s)}.",
        ["implementation", *speedup_figures.STARTUP, "total", "compiled ahead"],
        [
            [name, *map(style.seconds, part), style.seconds(row.startup_s), style.seconds(row.compile_s)]
            for name, part, row in zip(names, parts, rows, strict=True)
        ],
    )


def heatmap_plots(analysis):
    """Plots of speedups at the largest size: every kernel in its first dtype, then in its second, and so on."""
    ranks = defaultdict(list)
    for kernel in analysis.kernels:
        groups = defaultdict(list)
        for family in analysis.families(kernel):
            groups[family.dtype].append((kernel, family.dtype, family.options))
        for rank, problems in enumerate(groups.values()):
            ranks[rank] += problems
    for problems in ranks.values():
        yield from _heatmaps(analysis, problems)


def _heatmaps(analysis, problems):
    """The heatmap of implementations; before it, where that is long, one of the best of each backend and device."""
    main_dtype = Counter(dtype for _, dtype, _ in problems).most_common(1)[0][0]
    labels = _problem_labels(problems, main_dtype)
    cells, places, backends = defaultdict(dict), defaultdict(dict), {}
    for column, (kernel, dtype, options) in enumerate(problems):
        label = device_labels(analysis, kernel)
        for row, cell in heat_cells(analysis, kernel, dtype, options):
            name, place = label(row), _backend_label(analysis, row)
            cells[name][column] = cell
            backends[name] = backends[place] = row.backend
            places[place].setdefault(column, []).append(
                (0.0 if cell.implausible else cell.speedup or 0.0, row.implementation, cell)
            )
    others = [label for label, (_, dtype, _) in zip(labels, problems, strict=True) if dtype != main_dtype]
    note = f" (the column says where it is not {main_dtype})" if others else ""
    columns = f"one column per kernel, in {main_dtype}{note}."
    if any(cell.implausible for row in cells.values() for cell in row.values()):
        columns += f" {HATCHED}"
    long = len(cells) > MOST_ROWS and bool(analysis.gpus)
    if long:
        best = {place: {c: max(found, key=lambda f: f[0]) for c, found in row.items()} for place, row in places.items()}
        plot = _heatmap({p: {c: cell for c, (*_, cell) in row.items()} for p, row in best.items()}, labels, backends)
        plot.name = f"overview-backends-{main_dtype}"
        plot.title = f"The best of each backend over NumPy at the largest size, {main_dtype}"
        plot.summary = f"One row per backend and device with its fastest implementation, {columns}"
        plot.note = "Each backend with the fastest of what is written for it here, whatever its algorithm and threads."
        for row in plot.rows:
            for column, (_, implementation, _) in best[row[0]].items():
                row[1 + column] += f" {implementation}"
        yield plot
    plot = _heatmap(cells, labels, backends, grouped=long)
    plot.name = f"overview-speedup-{main_dtype}"
    plot.title = f"Speedup over NumPy at the largest size, {main_dtype}"
    plot.summary = f"One row per implementation, {columns}"
    plot.folded = long
    yield plot


def _backend_label(analysis, row):
    """A backend, with the device where that is not this machine's own cores without further ado."""
    device = row.device
    return row.backend if device in (None, "cpu") else f"{row.backend} · {analysis.short_devices[device]}"


def _heatmap(cells, labels, backends, grouped=False):
    """A Plot, yet without name and words, of {row: {column: Cell}}, the rows in the order of their backends."""
    order = list(style.LIGHT)
    rows = sorted(cells, key=lambda name: (order.index(backends[name]) if backends[name] in order else 99, name))
    grid = [[cells[name].get(column) for column in range(len(labels))] for name in rows]
    colors = [style.color(backends[name]) for name in rows]
    return Plot(
        "",
        speedup_figures.heatmap,
        {"rows": rows, "row_colors": colors, "columns": labels, "cells": grid, "grouped": grouped},
        "",
        "",
        ["implementation", *labels],
        [[name, *map(_cell_text, row)] for name, row in zip(rows, grid, strict=True)],
    )


def _problem_labels(problems, main_dtype):
    """A kernel's name, with dtype and options where the columns would not be clear without."""
    counts = Counter(kernel for kernel, _, _ in problems)
    return [
        " ".join(filter(None, [kernel, dtype if dtype != main_dtype else "", options if counts[kernel] > 1 else ""]))
        for kernel, dtype, options in problems
    ]


def heat_cells(analysis, kernel, dtype, options):
    """(row, Cell) of each implementation and device at the largest size of its problems; the row is one of its cases.

    What was unavailable throughout has none: the outcomes say why.
    """
    planned = analysis.table(TimingRow, kernel, dtype=dtype, options=options)
    largest = max(row.size for row in planned)
    best = {
        (row.implementation, row.device): row
        for row in analysis.table(BestRow, kernel, dtype=dtype, options=options, size=largest)
        if row.speedup is not None
    }
    seen = set()
    for row in planned:
        key = row.implementation, row.device
        if row.size != largest or key in seen or row.outcome == "unavailable":
            continue
        seen.add(key)
        if key in best:
            chosen = best[key]
            yield (
                row,
                speedup_figures.Cell(chosen.speedup, "", chosen.verdict != "AMBIGUOUS", chosen.implausible),
            )
        else:
            yield row, speedup_figures.Cell(None, WORDS.get(row.outcome, "–"))


def _cell_text(cell):
    if cell is None:
        return ""
    if cell.implausible:
        return f"{style.ratio(cell.speedup)} (implausible)"
    return cell.word if cell.speedup is None else style.ratio(cell.speedup) + ("" if cell.sure else " (not sure)")
