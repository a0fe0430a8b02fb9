"""Read a machine's results: machine.json, the kernels' metadata and the records, all checked before use."""

import json
import os
import shlex
from pathlib import Path

from accelbench.errors import InputError
from accelbench.model.artifact import Manifest
from accelbench.model.machine import Machine
from accelbench.model.record import Record, case_id
from accelbench.model.results import Results
from accelbench.model.watched import is_peak
from accelbench.store import files, formats

MOST_LINES = 100_000  # Maximum number of lines of a kernel's timings; a line is a case
AGAIN = "Delete it and run again with make report CONFIG=...: the journal keeps finished measurements"
PUBLISHED = "Copy it again from where it was published"


def again(results_dir):
    """Return the remedy for a damaged file in a results folder.

    A published folder has no journal, so its files cannot be made again.
    """
    return PUBLISHED if any(Path(results_dir, "timings").glob("*.xz")) else AGAIN


def tables_again(results_dir):
    """Return the command that rebuilds the tables of results/<machine>/."""
    folder = Path(results_dir)
    elsewhere = "" if folder.parent == Path("results") else f" --results {shlex.quote(str(folder.parent))}"
    return f"python -m accelbench tables --machine {folder.name}{elsewhere}"


def machine_folders(results):
    """Return the folders in `results` that hold a machine's results, sorted by name."""
    return sorted(path.parent for path in Path(results).glob("*/machine.json"))


def check_folder(results_dir):
    """Raise InputError if a folder does not contain a machine's results, or if a link leads out of the folder.

    The message names folders that contain results.
    """
    folder = Path(results_dir)
    if (folder / "machine.json").exists():
        files.check_links(folder)
        return
    known = ", ".join(sorted({str(path) for place in (folder.parent, "results") for path in machine_folders(place)}))
    raise InputError(
        folder,
        "has no machine.json, so it does not contain results of a machine"
        if folder.exists()
        else "there is no such folder",
        f"Results here: {known or 'none'}. To measure some: python -m accelbench run",
    )


def check_files(results_dir):
    """Raise InputError if results/<machine>/ has a damaged file, which would make a run fail half-way.

    The checked files are machine.json, metadata of kernels, manifests, timings, tables and links.
    """
    folder = Path(results_dir)
    files.check_links(folder)
    if (folder / "machine.json").exists():
        read_machine(folder)
    for path in sorted(folder.glob("kernels/*.json")):
        formats.read_metadata(path, again(folder))
    for path in sorted(folder.glob("build/*/*.json")):
        formats.read(Manifest, path, again(folder))
    for path in sorted(folder.glob("timings/*.jsonl")):
        # The timings of a kernel that measures a peak of the machine may be empty.
        if path.stat().st_size or not is_peak(path.name):
            check_end(path, again(folder))
    for path in sorted(folder.glob("tables/*.csv")):
        check_end(path, f"Make the tables again: {tables_again(folder)}")
    for path in folder.glob("tables/timings.parquet"):
        if path.read_bytes()[-4:] != b"PAR1":
            raise InputError(path, "is cut off", f"Make the tables again: {tables_again(folder)}")


def check_end(path, remedy):
    """Raise InputError if a file does not end with a line break."""
    with path.open("rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 1))
        if stream.read() != b"\n":
            raise InputError(path, "is cut off", remedy)


def read_machine(results_dir):
    """Return the Machine in a results folder. Raise InputError if machine.json is missing or damaged."""
    return formats.read(Machine, Path(results_dir) / "machine.json", again(results_dir))


def load_results(results_dir, home=None):
    """Return the Results in a results folder.

    Raise InputError if a file is missing or damaged, or has another schema version.

    home  the folder with machine.json, if this folder is not `results_dir`
    """
    results_dir = Path(results_dir)
    check_folder(home or results_dir)
    remedy = again(results_dir)
    machine = read_machine(home or results_dir)
    records = load_records(results_dir)
    kernels = {
        kernel: formats.read_metadata(files.either(results_dir / "kernels" / f"{kernel}.json"), remedy)
        for kernel in sorted({record.kernel for record in records})
    }
    return Results(machine, kernels, records)


def annotated_pages(kernels, home):
    """Return {(kernel, implementation, index of the artifact): path} of the existing pages that `cython -a` wrote.

    kernels  {kernel: KernelMetadata}
    home     results/<machine>/

    Raise InputError if a page lies outside the folder of the kernel's builds.
    """
    pages = {
        (kernel, name, number): files.inside(Path(home) / "build" / kernel, artifact.page)
        for kernel, metadata in kernels.items()
        for name, about in metadata.implementations.items()
        for number, artifact in enumerate(about.build)
        if artifact.page
    }
    return {key: path for key, path in pages.items() if path.is_file()}


def load_records(results_dir):
    """Return every Record in results/<machine>/timings/*.jsonl, or *.jsonl.xz of published results.

    Raise InputError, with file and line, if a line is cut off, has another schema version or does not fit the model.
    Damaged lines are not skipped, since a file gets its name only when all its lines are written. Also raise InputError
    if a line repeats a case or is from another machine than the first line. There must be a file, and no file may be
    empty, except files of kernels that measure a peak.
    """
    folder = Path(results_dir) / "timings"
    paths = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.xz")])
    if not paths:
        raise InputError(
            folder, "contains no measurements", "Measure first: make report CONFIG=..., or python -m accelbench run"
        )
    records, places, remedy = [], {}, again(results_dir)
    for path in paths:
        before = len(records)
        for number, line in enumerate(_read(path).split(b"\n"), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            record = _parse(where, line, remedy)
            if records and records[0].machine != record.machine:
                raise InputError(
                    where,
                    f"was measured on {record.machine!r}, the lines before it on {records[0].machine!r}",
                    "Keep the results of each machine in a separate folder",
                )
            case = case_id(record), tuple(sorted(record.options.items()))
            if (first := places.setdefault(case, where)) != where:
                raise InputError(where, f"repeats the case {case[0]} of {first}", remedy)
            records.append(record)
        if len(records) == before and not is_peak(path.name):
            raise InputError(path, "is empty", remedy)
    return records


def _read(path):
    """Return the unpacked content of a file of timings. Raise InputError if it is unreadable, damaged or too large."""
    try:
        data = files.unpacked(path, PUBLISHED)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Make it readable") from None
    if (lines := data.count(b"\n")) > MOST_LINES:
        raise InputError(path, f"has {lines} lines", f"Such a file has at most {MOST_LINES}")
    return data


def _parse(where, line, remedy):
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(where, "is not a complete JSON object, cut or damaged", remedy) from None
    return formats.typed(Record, value, where=where, remedy=remedy)
