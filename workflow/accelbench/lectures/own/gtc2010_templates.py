"""Time over unrolling and block size, of the fastest implementation at the largest size."""

from functools import partial

import pandas as pd

from accelbench.analysis.choices import by_threads, group_by
from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, plot_area
from accelbench.figures.cells import draw_cells, frame_cell
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.measured import fastest, seconds_of
from accelbench.lectures.views import View, nothing, why_none
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS, plain

UNROLL = "unroll"
COLUMN, ROW = 44, 18  # points that a cell is wide and high


def view(entry, results):
    """Return the View of the fastest sweep's times, and of what tuning is worth."""
    swept = [case for case in results.cases if seconds_of(case, entry.time) and _pair(case.record.parameters)]
    sweeps = group_by((case for case in swept if entry.draws(case.record.implementation)), by_threads)
    if not sweeps:
        return nothing(why_none(entry, results))
    best = {key: _best(cases, entry.time) for key, cases in sweeps.items()}
    shown = min(best, key=lambda key: (-best[key][0].record.size, best[key][1]))
    times = {_pair(case.record.parameters): seconds_of(case, entry.time) for case in sweeps[shown]}
    case, seconds, text = best.pop(shown)
    (unroll, block), worst = _pair(case.record.parameters), max(times, key=times.get)
    sentences = [
        f"{_place(case)}: the best pair is unroll {unroll} with block size {block}, {results.text(*text)}.",
        f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / seconds)} as long.",
    ]
    for usual in times.keys() & {(min(u for u, _ in times), default.plain) for default in DEFAULT_BLOCKS}:
        worth = f"takes {style.ratio(times[usual] / seconds)} as long: what tuning is worth here"
        sentences.append(f"{usual[0]} with {usual[1]}, as one writes it untuned, {worth}.")
    for other, _, text in best.values():
        pair = " with ".join(map(str, _pair(other.record.parameters)))
        sentences.append(f"{_place(other)}: {pair} is best, {results.text(*text)}.")
    for tuned in (case for case in results.cases if case.record.tuned and case.ok):
        pair = f"unroll {tuned.record.tuned[UNROLL]} with block size {tuned.record.tuned[BLOCK_SIZE]}"
        told = f"{_place(tuned)} took {pair} from the sweep"
        sentences.append(f"{told}: {style.seconds(seconds_of(tuned, entry.time))}, measured on its own.")
    rows = [[*pair, style.seconds(times[pair])] for pair in sorted(times)]
    chart = Drawing(partial(_draw, times, case))
    return View(chart, table=Table([UNROLL, "block size", case.record.implementation], rows), sentences=sentences)


def _pair(parameters):
    """(unroll, block size) among parameters, or None."""
    values = plain(parameters)
    return (values[UNROLL], values[BLOCK_SIZE]) if {UNROLL, BLOCK_SIZE} <= {*values} else None


def _best(cases, kind):
    """The Case that all repetitions find fastest, and its seconds by those that had no part in choosing it."""
    value = fastest(cases, kind)
    if value.case is None:  # all of them are implausible
        case = min(cases, key=lambda case: seconds_of(case, kind))
        return case, seconds_of(case, kind), (style.seconds, seconds_of(case, kind))
    return value.case, value.seconds, (style.seconds, value.seconds, *value.interval)


def _place(case):
    return f"{case.record.implementation} on {case.record.device} at size {style.size(case.record.size)}"


def _draw(times, best):
    """Draw a cell for each pair, the fuller the faster, with how many times the fastest's time; the best is framed."""
    frame = pd.Series(times).unstack(0)
    multiples = frame / frame.min().min()
    figure, axes = plot_area(COLUMN * len(frame.columns), ROW * len(frame))
    # The square tells apart what is nearly as good; a tenth of the speed is nothing.
    draw_cells(axes, multiples**-2, multiples.map(lambda value: "" if pd.isna(value) else f"{value:.3g}"))
    unroll, block = _pair(best.record.parameters)
    frame_cell(axes, frame.columns.get_loc(unroll), frame.index.get_loc(block), hatched=False)
    axes.set(xlabel=UNROLL, ylabel="block size")
    told = f"{best.record.implementation}, best {unroll} by {block}: {style.seconds(times[unroll, block])}"
    axes.annotate(told, (0, 1), xycoords="axes fraction", xytext=(0, 5), **BESIDE)
    return figure
