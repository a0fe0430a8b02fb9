"""Operations per second over the order, an option of the kernel, at each line's largest size."""

from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import decades, short_rate
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes, within_reach
from accelbench.lectures.lines import best_lines, not_drawn, why_none
from accelbench.lectures.value import fastest
from accelbench.lectures.view import View, nothing

ORDER = "order"
LEFT = 80  # points, with ticks as wide as 100 Gflop/s


def view(entry, results):
    """Return the View of operations per second; lines say their size where they differ in it."""

    def rate_of(cases):
        largest = max(case.record.size for case in cases)
        value = fastest([case for case in cases if case.record.size == largest], entry.time)
        if value.seconds is None or not value.case.record.flops:
            return None, None, None
        flops, (low, high) = value.case.record.flops, value.interval
        return flops / value.seconds, flops / (high or value.seconds), flops / (low or value.seconds)

    lines = best_lines(entry, results.cases, x_of=lambda case: case.record.options.get(ORDER), value_of=rate_of)
    if not lines:
        return nothing(why_none(entry, results))
    if len({found.size for found in lines}) > 1:
        lines = [found.told(f"size {style.size(found.size)}") for found in lines]
    chart = OrderLines([found.line for found in lines])
    return View(
        chart,
        f"{entry.title}: operations per second by {ORDER}.",
        sentences=[_tell(line, chart) for line in chart.lines],
        missing=not_drawn(entry, results, lines),
    )


def _tell(line, chart):
    """Between which orders the rate lies, and where it is highest."""
    best = line.y.index(max(line.y))
    return (
        f"{line.label}: {chart.show(line.y[0])} at {ORDER} {line.x[0]:g}, at most {chart.show(line.y[best])} at "
        f"{line.x[best]:g}."
    )


@dataclass(frozen=True)
class OrderLines(LineChart):
    """Lines of operations per second over the order, whose values are a tick each."""

    x_name = ORDER

    def show(self, value):
        return style.rate(value, "flop/s")

    def name_of(self, x):
        return f"{x:g}"

    def draw(self):
        lines = within_reach(self.lines)
        figure, axes = line_axes(lines, least_height=300, left=LEFT)
        draw(axes, lines)
        axes.set_xlabel(ORDER)
        axes.xaxis.set_major_locator(FixedLocator(sorted({x for line in lines for x in line.x})))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_yscale("log")
        decades(axes.yaxis, short_rate("flop/s"))
        axes.set_ylabel("computing rate")
        label_ends(axes, lines)
        return figure
