"""The table of all cases of a kernel as compact data. The page's script makes the rows of the table.

A sweep on a GPU has thousands of cases. Rows in HTML would take ten times the space.
"""

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from accelbench.analysis import Analysis, noise
from accelbench.analysis.cases import (
    PINNED,
    Case,
    baseline_name,
    format_options,
    format_parameters,
    is_launch_bound,
    uses_more_cores,
)
from accelbench.figures import style
from accelbench.model.parameters import BLOCK_SIZE
from accelbench.report import decide_page, embed

DIGITS = 3  # Number of significant digits in the data; the page's script rounds percentages further


class Column(NamedTuple):
    """A column of the table.

    head    heading of the column
    kind    format of the values in page.js: "name", "text", "plain", "block", "size", "seconds", "ratio", "number",
            "percent", "scientific", "seconds_interval", "ratio_interval", "joules", "bytes", "device", "outcome"
    value   function from a Case to the value of its cell
    screen  whether the column is omitted in print
    short   whether the column is shown before the user clicks to see all columns

    A column is omitted if no case has a value, or if its times or speedups equal those of `compute` in all cases. Short
    columns are always shown, except options and parameters.
    """

    head: str
    kind: str
    value: Callable[[Case], Any]
    screen: bool = False
    short: bool = False

    @property
    def marks(self) -> int:
        """Return `screen` as bit 0 and the inverse of `short` as bit 1, for the script."""
        return self.screen + 2 * (not self.short)


def _record(name):
    return lambda case: getattr(case.record, name)


def _seconds(kind):
    return lambda case: case.seconds(kind)


def _speedup(kind):
    return lambda case: case.speedup(kind).ratio


def _pinned(value):
    """Return a function from a Case to value(PINNED)(case), or to None if the Case was not timed with this memory."""
    return lambda case: value(PINNED)(case) if PINNED in case.record.timings else None


def _baseline(case):
    return case.baseline and case.speedup("compute").ratio is not None and baseline_name(case)


COLUMNS = (
    Column("implementation", "name", _record("implementation"), short=True),
    Column("dtype", "text", _record("dtype"), short=True),
    Column("options", "text", lambda case: format_options(case.record.options), short=True),
    Column("size", "size", _record("size"), short=True),
    Column("threads", "plain", _record("threads"), short=True),
    Column("block", "block", lambda case: case.record.settings.get(BLOCK_SIZE), short=True),
    Column("parameters", "text", lambda case: format_parameters(case.record), short=True),
    Column("algorithm", "text", _record("algorithm"), screen=True),
    Column("math", "text", _record("math"), screen=True),
    Column("target", "text", _record("target"), screen=True),
    Column("time", "seconds", _seconds("compute"), short=True),
    Column("its 95 % interval", "seconds_interval", lambda case: case.interval("compute"), screen=True, short=True),
    Column("in a loop", "seconds", _seconds("throughput"), screen=True),
    Column("call", "seconds", _seconds("call"), screen=True),
    Column("end to end", "seconds", _seconds("end_to_end")),
    Column("end to end, pinned", "seconds", _pinned(_seconds)),
    Column("speedup", "ratio", _speedup("compute"), short=True),
    Column("its 95 % interval", "ratio_interval", lambda case: case.speedup("compute")[1:3]),
    Column("the next run's", "ratio_interval", lambda case: case.speedup("compute")[4:], screen=True),
    Column("baseline", "text", _baseline, screen=True),
    Column("speedup in a loop", "ratio", _speedup("throughput"), screen=True),
    Column("speedup of a call", "ratio", _speedup("call"), screen=True),
    Column("speedup end to end", "ratio", _speedup("end_to_end")),
    Column("pinned", "ratio", _pinned(_speedup)),
    Column("GB/s", "number", lambda case: case.bandwidth_gb_s, screen=True),
    Column("Gflop/s", "number", lambda case: case.gflop_s, screen=True),
    Column("of peak", "percent", lambda case: case.fraction_of_peak, short=True),
    Column("occupancy", "percent", _record("occupancy"), screen=True),
    Column("registers", "plain", _record("registers"), screen=True),
    Column("energy a call", "joules", _record("energy_j"), screen=True),
    Column("memory", "bytes", _record("peak_memory_bytes"), screen=True),
    Column("error", "scientific", _record("max_error"), screen=True),
    Column("verdict", "text", lambda case: (case.speedup("compute").verdict or "").lower(), short=True),
    Column("device", "device", _record("device"), short=True),
    Column("outcome", "outcome", _record("outcome"), short=True),
)
WORDS = ("name", "text", "device", "outcome")
FLAGS = {  # {flag: function from a Case to its value}, in the order of the flags' bits
    **{name: _record(name) for name in ("noisy", "cache_resident")},
    "implausible": lambda case: case.implausible,
    "launch_bound": is_launch_bound,
    **{name: _record(name) for name in ("synchronises", "unseen")},
    "more_cores": lambda case: uses_more_cores(case.record),
    **{name: _record(name) for name in ("inputs_replaced", "works_in_convert")},
    "faster_later": noise.is_faster_later,
    "drifts": noise.drifts,
}


def table(analysis: Analysis, kernel: str) -> SimpleNamespace:
    """Return the content of the table for the template and the script. Unavailable cases are counted separately.

    columns      the shown Columns
    data         JSON: {"strings": [...], "columns": [...], "backends": {...}, "rows": [[...], ...]}. A row has a value
                 for each column, then the case's flags as bits, whether the row appears on paper, and the reason if the
                 case is not ok. Texts are indices into `strings`
    count        number of rows
    sizes        sizes of the cases
    unavailable  {(backend, reason): number of cases}
    """
    every = analysis.by_kernel[kernel]
    cases = [case for case in every if case.record.outcome != "unavailable"]
    several = len({case.problem[1] for case in every}) > 1
    values = {column: [column.value(case) for case in cases] for column in COLUMNS}
    values = {
        column: column_values
        for column, column_values in values.items()
        if _is_shown(column, column_values, cases) and (several or column.head != "options")
    }
    strings, largest = embed.Strings(), max((case.record.size for case in cases), default=0)
    data = {
        "columns": [[column.kind, column.marks] for column in values],
        "backends": {case.record.implementation: style.css_color(case.record.backend) for case in cases},
        "rows": [
            [
                *(_value(column, value, strings) for column, value in zip(values, row, strict=True)),
                sum(bool(holds(case)) << bit for bit, holds in enumerate(FLAGS.values())),
                int(case.record.size == largest and case.ok),
                None if case.ok else strings.place(case.record.reason),
            ]
            for case, *row in zip(cases, *values.values(), strict=True)
        ],
    }
    unavailable = Counter((c.record.backend, c.record.reason) for c in every if c.record.outcome == "unavailable")
    sizes = sorted({case.record.size for case in cases})
    shown = decide_page.script(data | {"strings": [*strings.places]})
    return SimpleNamespace(columns=[*values], data=shown, count=len(cases), sizes=sizes, unavailable=unavailable)


def _is_shown(column, values, cases):
    """Return whether a column is shown. Times and speedups are hidden if they equal those of `compute` in all cases."""
    same = {"seconds": _seconds, "ratio": _speedup}.get(column.kind)
    if column.short and column.head not in ("options", "parameters"):
        return True
    return any(map(_is_known, values)) and (not same or values != [same("compute")(case) for case in cases])


def _is_known(value):
    return value not in (None, "", False) and not (isinstance(value, tuple) and None in value)


def _value(column, value, strings):
    if column.kind in WORDS:
        return strings.place(value)
    if column.kind == "block":
        return value and [str(value), value.threads]
    if isinstance(value, tuple):
        return None if None in value else [_short(end) for end in value]
    return _short(value) if isinstance(value, float) else value


def _short(value):
    return None if style.missing(value) else float(f"{value:.{DIGITS}g}")
