"""What the report is made from: machine.json, the kernels' cards and the tables, read and checked."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from accelbench import analysis
from accelbench.errors import InputError, printable
from accelbench.figures import style
from accelbench.store import formats, load

TYPES = {"str": "str", "int": "Int64", "float": "float64", "bool": "boolean"}
LIMIT = "limit_"


@dataclass(frozen=True)
class Results:
    """One machine's results. `cards` holds the kernels that accelerate something, by name; `runs` those of all.

    folder  results/<machine>/, where builds and their pages lie
    tables  {name: rows} of tables/*.csv, each row a dictionary with None for null
    """

    folder: Path
    machine: dict
    cards: dict[str, dict]
    runs: list[dict]
    tables: dict[str, list[dict]]

    def rows(self, table, kernel=None, **values):
        """The rows of a table, of one kernel or of all, whose columns have these values."""
        found = self.tables[table] if kernel is None else self._by_kernel[table, kernel]
        return [row for row in found if all(row[column] == value for column, value in values.items())]

    @cached_property
    def _by_kernel(self):
        groups = defaultdict(list)
        for table, rows in self.tables.items():
            for row in rows:
                groups[table, row.get("kernel")].append(row)
        return groups

    @cached_property
    def host_devices(self):
        """Names of the devices that are this machine's own cores."""
        devices = (device for backend in self.machine["backends"].values() for device in backend["devices"])
        return {"cpu"} | {device["name"] for device in devices if device["kind"] == "cpu"}

    @cached_property
    def gpus(self):
        """Names of the devices with memory of their own on which anything was timed."""
        timed = {row["device"] for row in self.tables["timings"] if row["kernel"] in self.cards and row["compute_s"]}
        return sorted(timed - self.host_devices)

    @cached_property
    def short_devices(self):
        """{device: a name short enough for a label}, told apart by numbers where that made them equal."""
        found = {}
        for device in sorted({row["device"] for row in self.tables["timings"] if row["device"]}):
            label = style.short_device(device)
            same = sum(other.split(" #")[0] == label for other in found.values())
            found[device] = f"{label} #{same + 1}" if same else label
        return found


def read(results_dir, tables_dir):
    """The Results of a machine; InputError names a file that is missing, damaged or of another version."""
    results_dir, tables_dir = Path(results_dir), Path(tables_dir)
    load.check_folder(results_dir)
    remedy = load.again(results_dir)
    machine = formats.read(formats.Machine, results_dir / "machine.json", remedy)
    cards = {path.stem: formats.read_card(path, remedy) for path in sorted((results_dir / "kernels").glob("*.json"))}
    remake = f"Make the tables again: {load.tables_again(results_dir)}"
    read_tables = {
        name: _table(tables_dir / f"{name}.csv", columns, remake) for name, columns in analysis.COLUMNS.items()
    }
    unknown = {row["case"] for row in read_tables["best"]} - {row["case"] for row in read_tables["timings"]}
    if unknown:
        what = f"names {len(unknown)} cases that timings.csv does not have"
        raise InputError(tables_dir / "best.csv", what, remake)
    runs = [{"kernel": kernel, **run} for kernel, card in cards.items() for run in card.get("runs", [])]
    measured = {row["kernel"] for row in read_tables["timings"]}
    for kernel in sorted(measured - cards.keys()):
        path = results_dir / "kernels" / f"{kernel}.json"
        raise InputError(path, f"is missing, but {kernel} was measured", "Run again as before: make report CONFIG=...")
    shown = {k: c for k, c in cards.items() if k in measured and not k.startswith(LIMIT)}
    return Results(results_dir, machine, shown, runs, read_tables)


def check_tables(results_dir, tables_dir):
    """InputError names a table that does not say what the results say."""
    for name, table in analysis.make(load.load_results(results_dir)).items():
        path = Path(tables_dir) / f"{name}.csv"
        if path.read_text(encoding="utf-8") != table.to_csv(index=False):
            remake = f"Make the tables again: {load.tables_again(results_dir)}"
            raise InputError(path, "does not say what the results say", remake)


def _table(path, columns, remake):
    """The rows of a table as dictionaries, with None for empty cells."""
    try:
        load.check_end(path, remake)
        frame = pd.read_csv(path, dtype={name: TYPES[kind] for name, kind in columns.items()})
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", remake) from None
    except (ValueError, OverflowError) as error:
        raise InputError(path, f"is not a table of this version: {error}", remake) from None
    for name, kind in columns.items():
        if name not in frame:
            raise InputError(path, f"has no column {name}", remake)
        if kind == "str":
            frame[name] = frame[name].map(printable, na_action="ignore")
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
