"""Publishing: a machine's results made small enough to commit, whole enough to render the report again from them."""

import lzma
import tempfile
from pathlib import Path

from accelbench import config as configuration
from accelbench import files, formats, report, tables
from accelbench.errors import InputError
from accelbench.tables import load

AGAIN = load.AGAIN


def publish(results_dir, name, target):
    """Write `target` from results/<machine>/: machine.json, kernels/, timings/ (compressed), tables/ as CSV, the report
    and its figures as SVG, all under the machine name `name`. Returns the path of index.html.

    `target` is a results folder like any other: `accelbench tables` and `accelbench report` work on it. InputError
    where a result file is missing or damaged, or where `target` holds something else.
    """
    results_dir, target = Path(results_dir), Path(target)
    if target.is_dir() and any(target.iterdir()) and not (target / "machine.json").exists():
        raise InputError(target, "holds something else", "Name a new folder, or one that was published before")
    found = load.load_results(results_dir)
    files.write_json(target / "machine.json", found.machine | {"name": name})
    lines = {}
    for record in found.records:
        renamed = record.model_copy(update={"machine": name})
        lines.setdefault(record.kernel, []).append(renamed.model_dump_json() + "\n")
    for kernel, card in found.cards.items():
        files.write_json(target / "kernels" / f"{kernel}.json", card)
        files.write(target / "timings" / f"{kernel}.jsonl.xz", lzma.compress("".join(lines[kernel]).encode()))
    return render(target)


def render(target):
    """Make the tables and the report of a published folder again; the path of index.html."""
    target = Path(target)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        tables.write(target, scratch / "tables")
        index = report.write(target, scratch / "tables", scratch / "report", last_configuration(target))
        for path in (scratch / "tables").glob("*.csv"):
            files.write(target / "tables" / path.name, path.read_bytes())
        for path in (scratch / "report" / "figures").rglob("*.svg"):
            files.write(target / path.relative_to(scratch / "report"), path.read_bytes())
        files.write(target / "index.html", index.read_bytes())
    return target / "index.html"


def last_configuration(results_dir):
    """The Config of the latest run recorded in the kernels' cards; the default one where none is."""
    cards = [formats.read(formats.Card, path, AGAIN) for path in sorted(Path(results_dir, "kernels").glob("*.json"))]
    runs = [run for card in cards for run in card["runs"]]
    latest = max(runs, key=lambda run: run["started"], default=None)
    return configuration.parse(latest["config"] if latest else {}, results_dir)
