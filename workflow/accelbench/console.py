"""The console that prints tables, and the code that erases a line."""

import sys

from rich.console import Console

CLEAR = "\r\x1b[2K"  # erases the line of a terminal
WIDE = 1000  # columns: more than any table has


def standard_output():
    """A rich Console that breaks lines where the terminal ends, and nowhere in a file or a pipe."""
    return Console(width=None if sys.stdout is not None and sys.stdout.isatty() else WIDE)
