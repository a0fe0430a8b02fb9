"""Reading a machine's results: machine.json, the kernels' cards and the records, all checked before use."""

import json
import lzma
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from accelbench import formats
from accelbench.errors import InputError
from accelbench.record import SCHEMA_VERSION, Record, case_id

MOST = 2**63 - 1  # what a column of whole numbers can hold
AGAIN = "Delete it and run `make report`: finished problems are taken from the journal, not measured again"
VERSION = f"Use the accelbench that wrote it, or delete it and measure again with this one (schema {SCHEMA_VERSION})"


@dataclass(frozen=True)
class Results:
    """What was measured on one machine: `machine` as in machine.json, `cards` by kernel, and the records."""

    machine: dict
    cards: dict[str, dict]
    records: list[Record]

    @cached_property
    def host_devices(self):
        """Names of the devices that are this machine's own cores."""
        devices = (d for b in self.machine.get("backends", {}).values() for d in b.get("devices", ()))
        return {"cpu"} | {device["name"] for device in devices if device.get("kind") == "cpu"}


def load_results(results_dir, home=None):
    """The Results in results/<machine>/; InputError where a file is missing, damaged or of another schema version.

    home  the folder with machine.json, where that is another one
    """
    results_dir = Path(results_dir)
    machine = formats.read(formats.Machine, Path(home or results_dir) / "machine.json", AGAIN)
    records = load_records(results_dir)
    folder = results_dir / "kernels"
    cards = {kernel: formats.read(formats.Card, folder / f"{kernel}.json", AGAIN) for kernel in kernels(records)}
    return Results(machine, cards, records)


def annotated_pages(cards, home):
    """{(kernel, implementation, place in its build): path} of the pages that `cython -a` wrote of the implementations
    in `cards`, where they are still there. home: results/<machine>/."""
    pages = {
        (kernel, name, number): Path(home) / "build" / kernel / artifact["page"]
        for kernel, card in cards.items()
        for name, about in card["implementations"].items()
        for number, artifact in enumerate(about["build"])
        if artifact.get("page")
    }
    return {key: path for key, path in pages.items() if path.is_file()}


def kernels(records):
    return sorted({record.kernel for record in records})


def load_records(results_dir):
    """Every Record in results/<machine>/timings/*.jsonl, or *.jsonl.xz where results were published.

    A line that is cut, of another schema version, breaks the model or repeats a case is one InputError naming file and
    line. These files are renamed into place complete, so damage is never the trace of a crash and nothing is skipped.
    """
    folder = Path(results_dir) / "timings"
    paths = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.xz")])
    if not paths:
        raise InputError(folder, "holds no measurements", "Measure first: make report, or snakemake --cores all")
    records, seen = [], {}
    for path in paths:
        before = len(records)
        for number, line in enumerate(_read(path).split(b"\n"), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            record = _parse(where, line)
            _check(where, record, records, seen)
            records.append(record)
        if len(records) == before:
            raise InputError(path, "is empty", AGAIN)
    return records


def _read(path):
    try:
        data = path.read_bytes()
        return lzma.decompress(data) if path.suffix == ".xz" else data
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Make it readable") from None
    except lzma.LZMAError as error:
        raise InputError(path, f"cannot be decompressed: {error}", "Take it from where it was published") from None


def _parse(where, line):
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    try:
        version = json.loads(line).get("schema_version")
    except (ValueError, AttributeError, RecursionError):
        raise InputError(where, "is not a complete JSON object, cut or damaged", AGAIN) from None
    if version != SCHEMA_VERSION:
        raise InputError(where, f"has schema_version {version}, not {SCHEMA_VERSION}", VERSION)
    key = ".".join(map(str, first["loc"])) or "the record"
    raise InputError(where, f"{key}: {first['msg']}", AGAIN)


def _check(where, record, before, seen):
    for name in ("size", "threads", "source_lines", "registers"):
        count = getattr(record, name)
        if count is not None and not 0 <= count <= MOST:
            raise InputError(where, f"{name}: {str(count)[:20]} is no count", AGAIN)
    for name, value in record.options.items():
        if not abs(value) <= MOST:
            raise InputError(where, f"options.{name}: {str(value)[:20]} is no option's value", AGAIN)
    if record.outcome == "ok" and record.device is None:
        raise InputError(where, "device: none, but the outcome is ok", AGAIN)
    if record.outcome == "ok" and "compute" not in record.timings:
        raise InputError(where, "timings: compute is missing, but the outcome is ok", AGAIN)
    for kind, timing in record.timings.items():
        lengths = {len(timing.samples_s), len(timing.rounds), len(timing.loops)}
        if lengths != {len(record.sittings)}:
            raise InputError(where, f"timings.{kind} does not hold one list for each of its sittings", AGAIN)
        if not all(0 < sample < math.inf for samples in timing.samples_s for sample in samples):
            raise InputError(where, f"timings.{kind} has a sample that is no time", AGAIN)
        if any(len(s) != len(r) for s, r in zip(timing.samples_s, timing.rounds, strict=True)):
            raise InputError(where, f"timings.{kind} has samples without a round", AGAIN)
    if before and before[0].machine != record.machine:
        problem = f"was measured on {record.machine!r}, the lines before it on {before[0].machine!r}"
        raise InputError(where, problem, "Keep each machine's results in a folder of their own")
    case = (case_id(record), tuple(sorted(record.options.items())))
    if case in seen:
        raise InputError(where, f"repeats the case {case[0]} of {seen[case]}", AGAIN)
    seen[case] = where
