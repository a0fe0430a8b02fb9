"""What the report is made from: machine.json, the kernels' cards and the tables, read and checked."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from accelbench import files, tables
from accelbench.errors import InputError
from accelbench.record import SCHEMA_VERSION

TYPES = {"str": "str", "int": "Int64", "float": "float64", "bool": "boolean"}
LIMIT = "limit_"


@dataclass(frozen=True)
class Results:
    """One machine's results. `cards` holds the kernels that accelerate something, by name; `runs` those of all.

    folder  results/<machine>/, where builds and their pages lie
    tables  {name: DataFrame} of tables/*.csv
    """

    folder: Path
    machine: dict
    cards: dict[str, dict]
    runs: list[dict]
    tables: dict[str, pd.DataFrame]

    def of(self, table, **values):
        """The rows of a table whose columns have these values."""
        frame = self.tables[table]
        for column, value in values.items():
            frame = frame[frame[column] == value]
        return frame


def read(results_dir, tables_dir):
    """The Results of a machine; InputError names a file that is missing, damaged or of another version."""
    results_dir, tables_dir = Path(results_dir), Path(tables_dir)
    machine = _versioned(results_dir / "machine.json")
    cards = {path.stem: _versioned(path) for path in sorted((results_dir / "kernels").glob("*.json"))}
    read_tables = {name: _table(tables_dir / f"{name}.csv", columns) for name, columns in tables.COLUMNS.items()}
    runs = [{"kernel": kernel, **run} for kernel, card in cards.items() for run in card.get("runs", [])]
    measured = set(read_tables["timings"]["kernel"])
    for kernel in sorted(measured - cards.keys()):
        path = results_dir / "kernels" / f"{kernel}.json"
        raise InputError(path, f"is missing, but {kernel} was measured", "Run the measure stage again: make report")
    shown = {k: c for k, c in cards.items() if k in measured and not k.startswith(LIMIT)}
    return Results(results_dir, machine, shown, runs, read_tables)


def _versioned(path):
    value = files.read_json(path)
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version != SCHEMA_VERSION:
        remedy = f"This accelbench reads version {SCHEMA_VERSION}: measure again with it"
        raise InputError(path, f"has schema version {version}", remedy)
    return value


def _table(path, columns):
    """A table with null for empty cells, text columns as object."""
    try:
        frame = pd.read_csv(path, dtype={name: TYPES[kind] for name, kind in columns.items()})
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Make the tables first: make report") from None
    except ValueError as error:
        raise InputError(
            path, f"is not a table of this version: {error}", "Make the tables again: make report"
        ) from None
    for name in columns:
        if name not in frame:
            raise InputError(path, f"has no column {name}", "Make the tables again: make report")
    return frame.astype(object).where(frame.notna(), None)
