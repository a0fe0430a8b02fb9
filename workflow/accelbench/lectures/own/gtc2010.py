"""Figures of GTC 2010's lecture: operations per second by order, and times by unroll factor and block size.

The order is the polynomial degree, an option of the kernel. Each point in the figure of operations per second shows
the largest problem size measured with that order. The figure of times shows the fastest implementation at the largest
problem size.
"""

from dataclasses import replace
from functools import partial

import pandas as pd

from accelbench.analysis.choices import by_threads, group_by
from accelbench.figures import canvas, cells, style
from accelbench.figures.chart import Drawing, Table
from accelbench.figures.lines import LineChart
from accelbench.lectures import measured, views
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS, plain

ORDER = "order"


def dg(entry, results):
    """Return the View of operations per second by order.

    If lines have different problem sizes, the lines' labels contain the sizes.
    """

    def rate_of(cases):
        value = measured.fastest(measured.largest(cases), entry.time)
        if value.seconds is None or not value.case.record.flops:
            return None, None, None
        low, high = value.interval
        return tuple(value.case.record.flops / (s or value.seconds) for s in (value.seconds, high, low))

    lines = views.best_lines(entry, results.cases, x_of=lambda case: case.record.options.get(ORDER), value_of=rate_of)
    if not lines:
        return views.nothing(views.why_none(entry, results))
    if len({line.size for line in lines}) > 1:
        lines = [replace(line, label=f"{line.label} · size {style.size(line.size)}") for line in lines]
    chart, sentences = LineChart(lines, ORDER, "flop/s", x_name=ORDER), []
    for line in lines:
        texts = [results.text(chart.show, *point) for point in zip(line.y, line.low, line.high, strict=True)]
        best = line.y.index(max(line.y))
        sentences.append(
            f"{line.label}: {texts[0]} at {ORDER} {line.x[0]:g}, at most {texts[best]} at {line.x[best]:g}."
        )
    return views.View(chart, sentences=sentences, missing=views.not_drawn(entry, results, lines))


UNROLL = "unroll"
COLUMN, ROW = 44, 18  # Width and height of a cell in the figure of times, in points


def templates(entry, results):
    """Return the View of the fastest implementation at the largest size: times by unroll factor and block size."""
    swept = [case for case in results.cases if measured.seconds_of(case, entry.time) and _pair(case.record.parameters)]
    sweeps = group_by((case for case in swept if entry.draws(case.record.implementation)), by_threads)
    if not sweeps:
        return views.nothing(views.why_none(entry, results))
    best = {key: _best(cases, entry.time) for key, cases in sweeps.items()}
    shown = min(best, key=lambda key: (-best[key][0].record.size, best[key][1]))
    times = {_pair(case.record.parameters): measured.seconds_of(case, entry.time) for case in sweeps[shown]}
    case, seconds, text = best.pop(shown)
    (unroll, block), worst = _pair(case.record.parameters), max(times, key=times.get)
    sentences = [
        f"{_place(case)}: the best pair is unroll {unroll} with block size {block}, {results.text(*text)}.",
        f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / seconds)} as long.",
    ]
    for usual in times.keys() & {(min(u for u, _ in times), default.plain) for default in DEFAULT_BLOCKS}:
        worth = f"takes {style.ratio(times[usual] / seconds)} as long: this is the gain from tuning here"
        sentences.append(f"{usual[0]} with {usual[1]}, a common choice without tuning, {worth}.")
    for other, _, text in best.values():
        pair = " with ".join(map(str, _pair(other.record.parameters)))
        sentences.append(f"{_place(other)}: {pair} is best, {results.text(*text)}.")
    for tuned in (case for case in results.cases if case.record.tuned and case.ok):
        pair = f"unroll {tuned.record.tuned[UNROLL]} with block size {tuned.record.tuned[BLOCK_SIZE]}"
        clause = f"{_place(tuned)} uses {pair} from the sweep"
        sentences.append(f"{clause}: {style.seconds(measured.seconds_of(tuned, entry.time))}, measured separately.")
    rows = [[*pair, style.seconds(times[pair])] for pair in sorted(times)]
    chart = Drawing(partial(_draw_times, times, case))
    return views.View(chart, table=Table([UNROLL, "block size", case.record.implementation], rows), sentences=sentences)


def _pair(parameters):
    """Return (unroll factor, block size) from a case's parameters; None if one of these two is missing."""
    values = plain(parameters)
    return (values[UNROLL], values[BLOCK_SIZE]) if {UNROLL, BLOCK_SIZE} <= {*values} else None


def _best(cases, kind):
    """Return (Case, seconds, arguments of FigureResults.text) of the fastest of `cases`.

    The seconds come from leave-one-repetition-out: each repetition gives the time of the Case that is fastest in the
    other repetitions.
    """
    value = measured.fastest(cases, kind)
    if value.case is None:  # all cases are implausible
        case = min(cases, key=lambda case: measured.seconds_of(case, kind))
        return case, measured.seconds_of(case, kind), (style.seconds, measured.seconds_of(case, kind))
    return value.case, value.seconds, (style.seconds, value.seconds, *value.interval)


def _place(case):
    return f"{case.record.implementation} on {case.record.device} at size {style.size(case.record.size)}"


def _draw_times(times, best):
    """Draw a cell for each (unroll factor, block size), with its time as a multiple of the fastest time.

    Faster cells are darker. The cell of the Case `best` has a frame.
    """
    frame = pd.Series(times).unstack(0)
    multiples = frame / frame.min().min()
    figure, axes = canvas.plot_area(COLUMN * len(frame.columns), ROW * len(frame))
    # The shade is the square of the relative speed, so small differences are visible. Cells at a tenth of the highest
    # speed are almost transparent.
    cells.draw_cells(axes, multiples**-2, multiples.map(lambda value: "" if pd.isna(value) else f"{value:.3g}"))
    unroll, block = _pair(best.record.parameters)
    cells.frame_cell(axes, frame.columns.get_loc(unroll), frame.index.get_loc(block), hatched=False)
    axes.set(xlabel=UNROLL, ylabel="block size")
    label = f"{best.record.implementation}, best {unroll} by {block}: {style.seconds(times[unroll, block])}"
    axes.annotate(label, (0, 1), xycoords="axes fraction", xytext=(0, 5), **canvas.BESIDE)
    return figure
