"""Tables as DataFrames, for export. The package itself reads the Analysis, not these tables.

Units are in the column names; rows come in a fixed order; empty cells are null.
"""

import math
from types import SimpleNamespace

import pandas as pd

from accelbench.analysis import tables
from accelbench.analysis.analysis import Analysis

WHERE_ANY = ("environment",)  # Columns that are omitted if all of their values are empty
DTYPES = {str: "str", int: "Int64", float: "float64", bool: "boolean"}


def rows(analysis: Analysis, name: str) -> list[SimpleNamespace]:
    """Return the rows of a table, each with all columns. Unknown values and infinite or NaN numbers are None."""
    table = tables.find()[name]
    return [
        SimpleNamespace(**{column: _finite(row.get(column)) for column in table.COLUMNS})
        for row in table.rows(analysis)
    ]


def frame(analysis: Analysis, name: str) -> pd.DataFrame:
    """Return a table as a DataFrame with the column types that the table's module defines."""
    every, columns = rows(analysis, name), {}
    for column, kind in tables.find()[name].COLUMNS.items():
        values = [getattr(row, column) for row in every]
        if column not in WHERE_ANY or any(values):
            columns[column] = pd.array(values, dtype=DTYPES[kind])
    return pd.DataFrame(columns)


def _finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value


def make(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """Return {name: DataFrame} of every table."""
    return {name: frame(analysis, name) for name in tables.find()}
