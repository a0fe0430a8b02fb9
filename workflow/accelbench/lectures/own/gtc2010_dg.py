"""Operations per second over the order, an option of the kernel, at each line's largest size."""

from dataclasses import dataclass, replace

from accelbench.figures import style
from accelbench.figures.lines import LineChart
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import View, best_lines, not_drawn, nothing, why_none

ORDER = "order"


def view(entry, results):
    """Return the View of operations per second; lines say their size where they differ in it."""

    def rate_of(cases):
        value = fastest(largest(cases), entry.time)
        if value.seconds is None or not value.case.record.flops:
            return None, None, None
        low, high = value.interval
        return tuple(value.case.record.flops / (s or value.seconds) for s in (value.seconds, high, low))

    lines = best_lines(entry, results.cases, x_of=lambda case: case.record.options.get(ORDER), value_of=rate_of)
    if not lines:
        return nothing(why_none(entry, results))
    if len({line.size for line in lines}) > 1:
        lines = [replace(line, label=f"{line.label} · size {style.size(line.size)}") for line in lines]
    chart, told = OrderLines(lines), []
    for line in lines:
        texts = [results.text(chart.show, *point) for point in zip(line.y, line.low, line.high, strict=True)]
        best = line.y.index(max(line.y))
        told.append(f"{line.label}: {texts[0]} at {ORDER} {line.x[0]:g}, at most {texts[best]} at {line.x[best]:g}.")
    return View(chart, sentences=told, missing=not_drawn(entry, results, lines))


@dataclass(frozen=True)
class OrderLines(LineChart):
    """Lines of operations per second over the order, whose values are a tick each."""

    x_name, unit = ORDER, "flop/s"
