"""The table of all cases of a kernel as compact data, which the page's script turns into rows.

A sweep on a GPU has thousands of cases; as HTML they would be ten times this size.
"""

import json
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from accelbench.analysis import Analysis
from accelbench.analysis.tables.timings import TimingRow
from accelbench.figures import style
from accelbench.model.parameters import BlockSize

DIGITS = 3  # as many as are shown, so that nothing is rounded twice


class Column(NamedTuple):
    """A column: its head, how its values are shown (page.js knows how), the table's columns that it is made from.

    kind      "name", "text", "plain", "block", "size", "seconds", "ratio", "number", "percent", "scientific",
              "seconds_interval", "ratio_interval", "joules", "bytes", "device", "outcome"
    optional  left out where no case has a value
    gpu       of interest only where a device has memory of its own
    apart     of interest only where what a device takes was timed apart from launching it
    screen    left out on paper
    short     shown on a screen before all columns are asked for
    beside    left out where every case has the same in that column
    """

    head: str
    kind: str
    sources: tuple[str, ...]
    optional: bool = False
    gpu: bool = False
    screen: bool = False
    short: bool = False
    apart: bool = False
    beside: str | None = None

    @property
    def marks(self) -> int:
        """As the script reads them."""
        return self.screen + 2 * (not self.short)


COLUMNS = (
    Column("implementation", "name", ("implementation",), short=True),
    Column("dtype", "text", ("dtype",), short=True),
    Column("options", "text", ("options",), optional=True, short=True),
    Column("size", "size", ("size",), short=True),
    Column("threads", "plain", ("threads",), short=True),
    Column("block", "block", ("block_size",), short=True),
    Column("parameters", "text", ("parameters",), optional=True, short=True),
    Column("algorithm", "text", ("algorithm",), optional=True, screen=True),
    Column("math", "text", ("math",), optional=True, screen=True),
    Column("target", "text", ("target",), optional=True, screen=True),
    Column("time", "seconds", ("compute_s",), short=True),
    Column("its 95 % interval", "seconds_interval", ("compute_ci_low_s", "compute_ci_high_s"), screen=True, short=True),
    Column("in a loop", "seconds", ("throughput_s",), apart=True, screen=True),
    Column("call", "seconds", ("call_s",), screen=True, beside="compute_s"),
    Column("end to end", "seconds", ("end_to_end_s",), beside="compute_s"),
    Column("end to end, pinned", "seconds", ("end_to_end_pinned_s",), optional=True),
    Column("speedup", "ratio", ("speedup",), short=True),
    Column("its 95 % interval", "ratio_interval", ("speedup_ci_low", "speedup_ci_high")),
    Column("the next run's", "ratio_interval", ("speedup_next_low", "speedup_next_high"), optional=True, screen=True),
    Column("baseline", "text", ("baseline",), optional=True, screen=True),
    Column("speedup in a loop", "ratio", ("speedup_throughput",), apart=True, screen=True),
    Column("speedup of a call", "ratio", ("speedup_call",), gpu=True, screen=True),
    Column("speedup end to end", "ratio", ("speedup_end_to_end",), gpu=True),
    Column("pinned", "ratio", ("speedup_end_to_end_pinned",), optional=True, gpu=True),
    Column("GB/s", "number", ("bandwidth_gb_s",), screen=True),
    Column("Gflop/s", "number", ("gflop_s",), screen=True),
    Column("of peak", "percent", ("fraction_of_peak",), short=True),
    Column("occupancy", "percent", ("occupancy",), optional=True, screen=True),
    Column("registers", "plain", ("registers",), optional=True, screen=True),
    Column("energy a call", "joules", ("energy_j",), optional=True, screen=True),
    Column("memory", "bytes", ("peak_memory_bytes",), optional=True, screen=True),
    Column("error", "scientific", ("max_error",), screen=True),
    Column("verdict", "text", ("verdict",), short=True),
    Column("device", "device", ("device",), short=True),
    Column("outcome", "outcome", ("outcome",), short=True),
)
WORDS = ("name", "text", "device", "outcome")
FLAGS = (
    *("noisy", "cache_resident", "implausible", "launch_bound", "synchronises", "unseen"),
    *("more_cores", "inputs_replaced", "works_in_convert", "faster_later", "drifts"),
)


@dataclass(frozen=True)
class CaseTable:
    """What the template and the script need of a kernel's cases; those that are unavailable are counted apart.

    columns      the Columns shown
    data         JSON: {"strings": [...], "columns": [...], "backends": {...}, "rows": [[...], ...]}, a row with the
                 values of each column, words as places in `strings`, then its flags as bits, whether it belongs on
                 paper, and the reason where it is not ok
    count        of the rows
    unavailable  {(backend, reason): cases}
    """

    columns: list[Column]
    data: Markup
    count: int
    sizes: list[int]
    unavailable: dict


def table(analysis: Analysis, kernel: str) -> CaseTable:
    """The CaseTable of a kernel."""
    every = analysis.table(TimingRow, kernel)
    rows = [row for row in every if row.outcome != "unavailable"]
    several_options = len({row.options for row in every}) > 1
    interest = {"several_options": several_options, "gpu": bool(analysis.gpus), "apart": analysis.is_apart}
    columns = [column for column in COLUMNS if _wanted(column, rows, **interest)]
    strings, names = _Strings(), {row.case: row.implementation for row in every}
    largest = max((row.size for row in rows), default=0)
    data = {
        "columns": [[column.kind, column.marks] for column in columns],
        "backends": {row.implementation: style.css_color(row.backend) for row in rows},
        "rows": [
            [
                *(_value(column, row, strings, names=names) for column in columns),
                sum(bool(getattr(row, flag)) << bit for bit, flag in enumerate(FLAGS)),
                int(row.size == largest and row.outcome == "ok"),
                None if row.outcome == "ok" else strings.place(row.reason),
            ]
            for row in rows
        ],
    }
    unavailable = Counter((row.backend, row.reason) for row in every if row.outcome == "unavailable")
    sizes = sorted({row.size for row in rows})
    return CaseTable(columns, _script(data | {"strings": strings.found}), len(rows), sizes, unavailable)


class _Strings:
    """Words that many rows share, each stored once."""

    def __init__(self):
        self._places = {}

    def place(self, text):
        return self._places.setdefault(text or "", len(self._places))

    @property
    def found(self):
        return list(self._places)


def _wanted(column, rows, *, several_options, gpu, apart):
    if column.head == "options":
        return several_options
    if (column.gpu and not gpu) or (column.apart and not apart):
        return False
    if column.beside and all(getattr(row, column.sources[0]) == getattr(row, column.beside) for row in rows):
        return False
    return not column.optional or any(
        getattr(row, source) not in (None, "") for row in rows for source in column.sources
    )


def _value(column, row, strings, *, names):
    if len(column.sources) > 1:
        ends = [_short(getattr(row, source)) for source in column.sources]
        return None if None in ends else ends
    value = getattr(row, column.sources[0])
    if column.head == "baseline":
        value = names.get(value)
    if column.kind in WORDS:
        return strings.place(value.lower() if column.head == "verdict" and value else value)
    if column.kind == "block":
        return value and [value, BlockSize.parse(value).threads]
    return _short(value) if isinstance(value, float) else value


def _short(value):
    return None if style.missing(value) else float(f"{value:.{DIGITS}g}")


def _script(value):
    """JSON that nothing in a <script> element can end or change."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
