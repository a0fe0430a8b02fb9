"""The console for tables, and the text that erases a line of a terminal."""

import sys

from rich.console import Console

# Environment variable by which `run` passes the estimated time of measuring, in seconds, to its logger plugin
MEASURE_S = "ACCELBENCH_MEASURE_S"


def standard_output():
    """Return a rich Console that wraps lines at the width of a terminal, but not in a file or a pipe."""
    # No table is as wide as 1000 columns.
    return Console(width=None if sys.stdout is not None and sys.stdout.isatty() else 1000)


def erasing():
    """Return the text that erases the current line if standard error is a terminal, else an empty text."""
    return "\r\x1b[2K" if sys.stderr.isatty() else ""
