"""Published results with the algorithms, math modes and targets that are derived from their sources, and their pages.

The results are older than these fields. `make examples` derives the fields, too; committed pages may be older.
"""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from examples import EXAMPLES

from accelbench import config, report
from accelbench.analysis import Analysis
from accelbench.report import classes
from accelbench.store.load import load_results


@cache
def with_classes(machine):
    """Return the Analysis of a published machine."""
    return Analysis(classes.with_classes(load_results(EXAMPLES / machine)))


@cache
def render(machine):
    """Return the folder with the pages of with_classes(machine)."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    report.write(with_classes(machine), EXAMPLES / machine, folder / machine, config=config.Config(), formats=["svg"])
    return folder / machine
