"""Figures of the kind `option`: lines over the values of a kernel's option."""

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import fastest
from accelbench.lectures.view import View, nothing


class OptionKind(Kind):
    """Operations per second over the one option of which `measure` has several values, at each line's largest size,
    which lines are told of where they differ in it."""

    of_one_time = True

    def validate(self, entry):
        super().validate(entry)
        if len(_swept(entry)) != 1:
            raise ValueError("measure: a figure of kind option needs several values of exactly one option")

    def view(self, entry, results):
        from accelbench.figures.option_lines import OptionLines
        from accelbench.lectures.lines import best_lines, not_drawn, why_none

        (option,) = _swept(entry)
        lines = best_lines(
            entry, results.cases, x_of=lambda case: case.record.options.get(option), value_of=_rate_at_largest(entry)
        )
        if not lines:
            return nothing(why_none(entry, results))
        if len({found.size for found in lines}) > 1:
            lines = [found.told(f"size {style.size(found.size)}") for found in lines]
        chart = OptionLines([found.line for found in lines], option)
        return View(
            chart,
            f"{entry.title}: operations per second by {option}.",
            sentences=[_tell(line, chart) for line in chart.lines],
            missing=not_drawn(entry, results, lines),
        )


def _swept(entry):
    """The options of which several values are measured."""
    return {name for part in entry.measure for name, values in part.options.items() if len(values) > 1}


def _rate_at_largest(entry):
    """A function from cases to (operations per second of the fastest at their largest size, its interval)."""

    def value_of(cases):
        largest = max(case.record.size for case in cases)
        value = fastest([case for case in cases if case.record.size == largest], entry.time)
        if value.seconds is None or not value.case.record.flops:
            return None, None, None
        flops, (low, high) = value.case.record.flops, value.interval
        return flops / value.seconds, flops / (high or value.seconds), flops / (low or value.seconds)

    return value_of


def _tell(line, chart):
    """Between which values of the option the rate lies, and where it is highest."""
    best = line.y.index(max(line.y))
    return (
        f"{line.label}: {chart.show(line.y[0])} at {chart.x_name} {chart.name_of(line.x[0])}, at most "
        f"{chart.show(line.y[best])} at {chart.name_of(line.x[best])}."
    )
