"""Publishing: write a machine's results into a folder that is small enough to commit, with all data for its pages."""

import lzma
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

from accelbench import config as configuration
from accelbench import project, report
from accelbench.analysis import Analysis
from accelbench.errors import InputError
from accelbench.export import tables
from accelbench.lectures import entries, measured, page
from accelbench.pages import copies
from accelbench.report.classes import with_classes
from accelbench.store import files, formats, load

DIGITS = 9  # Significant digits of published samples: clocks have no more, and 17 digits take 1.6 times the space
MANIFEST = "published.txt"  # File that lists what publishing wrote; publishing replaces or deletes only these files
PAGES = ("*.html", "kernels/*.html", "lectures/*.html")
FORMATS = ("svg",)  # Formats of published figures
ANNOTATED = "esrf-annotate"  # Name of the lecture figure that shows Cython's annotated pages
NAMED = 5  # Maximum number of files that an error message names
LEFT_OUT = re.compile(r', <a href="[^"]+\.(?:pdf|png)">(?:PDF|PNG)</a>')  # Links to PDF and PNG files, for removal


def publish(results_dir, name, target):
    """Write the published folder `target` from the results folder `results_dir`. There, the machine is called `name`.

    The folder has machine.json, kernels/ and timings/ (compressed), profile/, tuned/, and the measurements of the
    lectures' figures with the annotated pages of Cython. It also has tables/ as CSV, the report and the lectures' pages
    with figures as SVG. `accelbench tables` and `accelbench report` accept this folder like any results folder. If
    `target` is an earlier published folder, the new folder replaces it as a whole.

    Return the path of index.html. Raise InputError if a result file is missing or damaged. Raise InputError as well if
    `target` has files that publishing did not write, is or lies beside a folder of measured results, or contains the
    current folder.
    """
    results_dir, asked = Path(results_dir), Path(target)
    target = Path(os.path.realpath(asked))
    try:
        configuration.check_machine_name(name)
    except ValueError as error:
        raise InputError(
            asked, f"the machine gets the name of the folder: {error}", "Choose a name such as laptop"
        ) from None
    journals = [folder for folder in (results_dir, target) if (folder / "journal").exists()]
    if target in journals or (journals and target.parent == results_dir.resolve().parent):
        remedy = "Name another folder, such as reports/examples/laptop, since published folders have no journals"
        raise InputError(asked, "is a folder for measured results, not for published results", remedy)
    if Path.cwd().is_relative_to(target):
        raise InputError(
            asked, "contains the current folder, and publishing would replace it", "Change to another folder"
        )
    _check_replaceable(asked, target)
    load.check_folder(results_dir)
    lectures = _measured_figures(results_dir)
    parts = [folder for entry in lectures for folder in measured.read_measurement(results_dir, entry).folders()]
    contents = {part: load.load_results(results_dir / part, results_dir) for part in parts}
    results = load.load_results(results_dir)
    with files.scratch(target.parent) as scratch:
        fresh = Path(scratch) / target.name
        formats.write(fresh / "machine.json", results.machine.model_copy(update={"name": name}))
        _write_results(results, name, fresh)
        _write_beside(results_dir, fresh, lectures, contents=contents, name=name)
        for part in (part for part in contents if part.parent.name == ANNOTATED):
            copies.copy_annotations(contents[part].kernels, results_dir, fresh)
        _write_manifest(fresh, others=())
        render(fresh, above=target.parent)
        _check_replaceable(asked, target)
        if target.exists():
            target.rename(fresh.with_name(f"{target.name}.before"))  # removed with the scratch folder
        fresh.rename(target)
    return asked / "index.html"


def _check_replaceable(asked, target):
    """Raise InputError if replacing `target` would delete files that publishing did not write.

    asked  path of `target` as the user gave it
    """
    if asked.is_symlink() or (target.exists() and not target.is_dir()):
        raise InputError(asked, "is not a folder, but a link, a file or a device", "Name a new folder")
    if others := _others(target):
        problem = f"contains other files: {', '.join(sorted(others)[:NAMED])} ({len(others)} in total)"
        raise InputError(asked, problem, "Name a new folder, or move these files away")


def _others(folder):
    """Return the relative paths in a folder that publishing did not write.

    They are links, devices, empty folders, and files that the folder's manifest does not list.
    """
    listed = set(os.fsdecode((folder / MANIFEST).read_bytes()).splitlines()) if (folder / MANIFEST).is_file() else set()
    return {name for name, is_regular in _entries(folder).items() if name not in listed or not is_regular}


def _entries(folder):
    """Return {relative path: whether it is a regular file} of files, links, devices and empty folders in a folder."""
    modes = {path: path.lstat().st_mode for path in folder.rglob("*")}
    full = {path.parent for path in modes}
    return {str(path.relative_to(folder)): stat.S_ISREG(mode) for path, mode in modes.items() if path not in full}


def _write_manifest(folder, others):
    """Write the MANIFEST of a folder. It lists all files in the folder except `others`."""
    names = {MANIFEST, *_entries(folder)} - set(others)
    files.write(folder / MANIFEST, b"".join(os.fsencode(f"{name}\n") for name in sorted(names)))


def _write_beside(results_dir, target, lectures, *, contents, name):
    """Write profiles, parameters that sweeps chose, and measurements of the lectures' figures into `target`."""
    for folder in ("profile", "tuned"):
        if (results_dir / folder).is_dir():
            shutil.copytree(results_dir / folder, target / folder)
    for part, results in contents.items():
        _write_results(results, name, target / part)
    for entry in lectures:
        files.write(measured.place(target, entry), measured.place(results_dir, entry).read_bytes())


def _write_results(results, name, target):
    lines = {}
    for record in results.records:
        shortened = record.model_copy(update={"machine": name, "timings": _shortened(record.timings)})
        lines.setdefault(record.kernel, []).append(shortened.model_dump_json() + "\n")
    for kernel, metadata in results.kernels.items():
        runs = [run.model_copy(update={"configfiles": _at_hand(run.configfiles)}) for run in metadata.runs]
        published_metadata = metadata.model_copy(update={"runs": runs})
        _write_packed(target / "kernels" / f"{kernel}.json.xz", published_metadata.model_dump_json())
        _write_packed(target / "timings" / f"{kernel}.jsonl.xz", "".join(lines[kernel]))


def _write_packed(path, text):
    files.write(path, lzma.compress(text.encode()))


def _at_hand(configfiles):
    """Return those of `configfiles` that are in the project. Return `configfiles` if none is in the project.

    Commands on published pages name these files, and readers of the pages have only files of the project.
    """
    return [file for file in configfiles or () if (project.ROOT / file).is_file()] or configfiles


def _shortened(timings):
    """Return `timings`, {kind: Timing}, with samples rounded to DIGITS significant digits."""
    samples = {
        kind: [[float(f"{seconds:.{DIGITS}g}") for seconds in repetition] for repetition in timing.samples_s]
        for kind, timing in timings.items()
    }
    return {kind: timing.model_copy(update={"samples_s": samples[kind]}) for kind, timing in timings.items()}


def _measured_figures(results_dir):
    """Return the Entries of the lectures' figures with measurements, in the order of config/figures.yaml."""
    return [e for e in entries.read().values() if measured.place(results_dir, e).exists()]


def render(target, above=None):
    """Rebuild the tables, the report and the lectures' pages of a published folder. Return the path of index.html.

    above  folder that will contain the published folder; by default the folder that contains it now
    """
    target = Path(target)
    load.check_folder(target)
    others = _others(target)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        figures = _measured_figures(target)
        absent = [entry for entry in entries.read().values() if entry not in figures]
        for entry in figures:
            page.write_figure(entry, target, scratch / "report", formats=FORMATS)
        if figures:
            page.write_page(target, scratch / "report", figures, absent=absent, report=True)
        results = with_classes(load.load_results(target))
        latest = max((run for _, run in results.runs), key=lambda run: run.started, default=None)
        config = configuration.parse(latest.config.plain() if latest else {}, target)
        analysis = Analysis(results)
        tables.write(analysis, scratch / "tables")
        report.write(analysis, target, scratch / "report", config=config, above=above, formats=FORMATS)
        for entry in figures:
            page.drawn_file(target, entry).unlink()
        for path in (scratch / "tables").glob("*.csv"):
            files.write(target / "tables" / path.name, path.read_bytes())
        made = {path.relative_to(scratch / "report"): path for path in _rendered(scratch / "report")}
        for path in _rendered(target):
            name = path.relative_to(target)
            if path.parent != target and name not in made and str(name) not in others:  # left by an earlier report
                path.unlink()
        for name, path in made.items():
            files.write(target / name, LEFT_OUT.sub("", path.read_text(encoding="utf-8")))
    _write_manifest(target, others)
    return target / "index.html"


def _rendered(folder):
    return [path for place in (*PAGES, "figures/**/*.svg") for path in folder.glob(place)]
