"""An answer as a table for a terminal, as CSV, and as Markdown."""

import csv
import io

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accelbench import console as consoles
from accelbench.errors import one_line

FORMATS = ("table", "csv", "markdown")


def write(answer, form):
    """The text of a Selection in one of FORMATS."""
    return {"table": as_table, "csv": as_csv, "markdown": as_markdown}[form](answer)


def as_table(answer):
    """Lines of a table that nothing is cut from."""
    stream = io.StringIO()
    shown = [[_short(value) for value in row] for row in answer.rows]
    longest = [max(map(cell_len, column)) for column in zip(answer.columns, *shown, strict=True)]
    console = Console(file=stream, width=max(consoles.WIDE, sum(longest) + 3 * len(longest)))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(answer.columns):
        numbers = any(isinstance(row[place], (int, float)) for row in answer.rows)
        table.add_column(name, justify="right" if numbers else "left", no_wrap=True)
    for row in shown:
        table.add_row(*map(Text, row))
    console.print(table)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    return "\n".join([*filter(None, lines), f"{len(answer.rows)} {'row' if len(answer.rows) == 1 else 'rows'}", ""])


def as_csv(answer):
    """With all digits; what is null is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)
    return stream.getvalue()


def as_markdown(answer):
    """A table as GitHub's Markdown has it."""
    rows = [answer.columns, ["---"] * len(answer.columns), *([_short(v) for v in row] for row in answer.rows)]
    return "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows)


def _cell(text):
    return text.replace("|", r"\|")


def _short(value):
    """A value for people: six digits of a number, nothing where there is none."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else one_line(value)
