"""The exit: tables as DataFrames. export.tables writes them for others; nothing here reads them.

Units are in the column names; rows come in a fixed order; empty cells are null.
"""

from dataclasses import fields
from typing import get_args, get_type_hints

import pandas as pd

from accelbench.analysis import tables
from accelbench.analysis.analysis import Analysis
from accelbench.analysis.rows import Row

WHERE_ANY = ("environment",)  # columns that tables have where a value is not empty
DTYPES = {str: "str", int: "Int64", float: "float64", bool: "boolean"}


def frame(analysis: Analysis, row: type[Row]) -> pd.DataFrame:
    """A table as a DataFrame, its columns typed as the fields of its rows are."""
    hints = get_type_hints(row)
    rows = analysis.table(row)
    columns = {}
    for column in fields(row):
        kind = next(iter(get_args(hints[column.name])), hints[column.name])
        values = [getattr(each, column.name) for each in rows]
        if column.name not in WHERE_ANY or any(values):
            columns[column.name] = pd.array(values, dtype=DTYPES[kind])
    return pd.DataFrame(columns)


def make(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """{name: DataFrame} of every table."""
    return {name: frame(analysis, row) for name, row in tables.find().items()}
