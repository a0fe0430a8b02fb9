"""The exit: tables as DataFrames. export.tables writes them for others; nothing here reads them.

Units are in the column names; rows come in a fixed order; empty cells are null.
"""

import math
from types import SimpleNamespace

import pandas as pd

from accelbench.analysis import tables
from accelbench.analysis.analysis import Analysis

WHERE_ANY = ("environment",)  # columns that tables have where a value is not empty
DTYPES = {str: "str", int: "Int64", float: "float64", bool: "boolean"}


def rows(analysis: Analysis, name: str) -> list[SimpleNamespace]:
    """The rows of a table, each with all columns; what is not known, or no finite number, is None."""
    table = tables.find()[name]
    return [
        SimpleNamespace(**{column: _finite(row.get(column)) for column in table.COLUMNS})
        for row in table.rows(analysis)
    ]


def frame(analysis: Analysis, name: str) -> pd.DataFrame:
    """A table as a DataFrame, its columns typed as its module says."""
    every, found = rows(analysis, name), {}
    for column, kind in tables.find()[name].COLUMNS.items():
        values = [getattr(row, column) for row in every]
        if column not in WHERE_ANY or any(values):
            found[column] = pd.array(values, dtype=DTYPES[kind])
    return pd.DataFrame(found)


def _finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value


def make(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """{name: DataFrame} of every table."""
    return {name: frame(analysis, name) for name in tables.find()}
