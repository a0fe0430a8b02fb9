"""Files in the subfolder tables/ of a results folder: the tables of the analysis as CSV and Parquet."""

import io
from pathlib import Path

import pandas as pd

from accelbench.analysis import Analysis, frames
from accelbench.store import files


def write(analysis: Analysis, folder) -> dict[str, pd.DataFrame]:
    """Write every table to <name>.csv in a folder. Return {name: DataFrame}.

    The table of all cases is written to timings.parquet, too.
    """
    folder, tables = Path(folder), frames.make(analysis)
    for name, table in tables.items():
        files.write(folder / f"{name}.csv", table.to_csv(index=False))
    parquet = io.BytesIO()
    tables["timings"].to_parquet(parquet, index=False)
    files.write(folder / "timings.parquet", parquet.getvalue())
    return tables
