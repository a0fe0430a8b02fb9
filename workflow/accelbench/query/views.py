"""The views of a query: a row class each, made of as many results folders as there are."""

import re
from dataclasses import fields

import pandas as pd

from accelbench.analysis import Analysis, frames, tables
from accelbench.analysis.rows import Row
from accelbench.errors import InputError, notice
from accelbench.query.rows import MachineRow, RepetitionRow, SampleRow
from accelbench.store.load import load_results

ALL_CASES = "timings"  # of tables/, which is the view `cases`
FOLDER = "results"  # the first column of every view: which results folder a row is of


def find() -> dict[str, type[Row]]:
    """{view: the class of its rows}, that of all cases first."""
    made = tables.find()
    own = {"cases": made[ALL_CASES], "samples": SampleRow, "repetitions": RepetitionRow, "machines": MachineRow}
    return own | {name: row for name, row in sorted(made.items()) if name != ALL_CASES}


def columns(row):
    """Names of the columns of a view."""
    return [FOLDER, *(column.name for column in fields(row))]


def named_in(sql):
    """{view: the class of its rows} of those whose names occur in a query: no others are made."""
    words = {word.lower() for word in re.findall(r"\w+", sql)}
    return {name: row for name, row in find().items() if name in words}


def read(folders):
    """{results folder: its Analysis}; what cannot be read is told of and left out, InputError where nothing is left."""
    found = {}
    for folder in folders:
        try:
            found[str(folder)] = Analysis(load_results(folder))
        except InputError as error:
            notice(f"note: left out: {error}")
    if not found:
        remedy = "Measure first: python -m accelbench run; or name results folders behind the query"
        raise InputError("query", "there are no results to ask", remedy)
    return found


def make(row, analyses):
    """The DataFrame of a view, from {results folder: Analysis}."""
    made = []
    for folder, analysis in analyses.items():
        own = frames.frame(analysis, row)
        own.insert(0, FOLDER, folder)
        made.append(own.reindex(columns=columns(row), fill_value=""))
    return pd.concat(made, ignore_index=True)
