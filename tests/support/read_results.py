"""Functions that read a results folder as commands do: into an Analysis, tables or a report."""

import io
from functools import cache
from pathlib import Path

import pandas as pd
from examples import EXAMPLES

from accelbench import report
from accelbench.analysis import Analysis, frames
from accelbench.config import Config
from accelbench.export import tables
from accelbench.report.classes import with_classes
from accelbench.store.load import load_results


def read(folder):
    """Return the Analysis of a results folder.

    All tests of a process share the Analysis of a published machine, since no test changes it.
    """
    return _published(folder) if Path(folder).parent == EXAMPLES else Analysis(load_results(folder))


@cache
def _published(folder):
    return Analysis(with_classes(load_results(folder)))


@cache
def published_table(machine, name="timings"):
    """Return a table of a published machine, as it is in the CSV file."""
    return pd.read_csv(io.StringIO(frames.make(read(EXAMPLES / machine))[name].to_csv(index=False)))


def write_tables(folder, out=None):
    """Write the tables to `out`, by default the folder's tables/, and return {name: DataFrame}."""
    return tables.write(read(folder), out or Path(folder) / "tables")


def write_report(folder, report_dir):
    return report.write(read(folder), folder, report_dir, config=Config())
