"""Bundles: zip files with all results of a machine, and with the files for repeating the measurements.

results/<machine>/     machine.json, identity.json, timings, journals, kernels, tables, profiles, figures, parameters
                       that sweeps chose, Cython's annotated pages, the lectures' measurements, and the pages of a
                       published folder
configuration/         the configurations, as files for `make report CONFIG=...`
sources/<kernel>/      the sources of the kernels and implementations that were measured
package/               the modules of backends and toolchains
environment/           the installed packages (requirements.txt) and the repository's locks
ro-crate-metadata.json metadata of these files (`archive.crate`)
manifest-sha256.txt    SHA-256 sums of all other files, in the format of `sha256sum -c`
"""

import hashlib
import shutil
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import yaml

import accelbench
from accelbench import config as configuration
from accelbench import project, toolchains
from accelbench.archive import crate
from accelbench.config import select
from accelbench.config.repeat import to_repeat
from accelbench.environments import paths
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.store import files
from accelbench.store.load import load_results

MANIFEST = "manifest-sha256.txt"
RESULTS = (  # Files to pack from a results folder. Built libraries, logs and file locks are of no use elsewhere
    "machine.json", "identity.json", "timings/*.jsonl", "timings/*.jsonl.xz", "journal/*.jsonl", "kernels/*.json",
    "kernels/*.json.xz", "tables/*", "tuned/*.json", "profile/*/*", "figures/**/*", "build/*/*/*/*.html",
    "lectures/*/measured.json", "lectures/*/*/kernels/*.json", "lectures/*/*/kernels/*.json.xz",
    "lectures/*/*/timings/*.jsonl", "lectures/*/*/timings/*.jsonl.xz", "*.html", "kernels/*.html", "lectures/*.html",
)  # fmt: skip
PACKAGE = ("backends/*.py", "toolchains/*.py")
ENVIRONMENT = ("*.in", "*.lock", "*.yaml")
EPOCH = (1980, 1, 1, 0, 0, 0)  # Time of every file in the zip file, so that equal results give equal zip files


def bundle(results_dir, output=None, authors=()):
    """Pack the results folder `results_dir` into the zip file `output`, by default <machine>.zip in the current folder.

    authors  names, optionally with an identifier: "Jane Doe <https://orcid.org/0000-0002-1825-0097>"

    Return the `path` of the zip file, the `count` of its files, and `notes` on sources that changed or are missing.

    If the results have the text of a source, the bundle contains this text, even if the source changed later. Raise
    InputError if one of `authors` has another form, if `output` is a folder, or if a result file is missing or damaged.
    """
    results_dir, people = Path(results_dir), crate.parse_authors(authors)
    results = load_results(results_dir)
    name = results.machine.name
    output = Path(output or f"{name}.zip")
    if output.is_dir():
        raise InputError(output, "is a folder", "Name the zip file to write: --output bundle.zip")
    with tempfile.TemporaryDirectory() as scratch:
        stage = Path(scratch, "stage")
        _copy(results_dir, RESULTS, stage / "results" / name)
        _write_configurations(results, name, stage / "configuration")
        notes = _write_sources(results, stage / "sources")
        _copy(Path(accelbench.__file__).parent, PACKAGE, stage / "package")
        _copy(project.ROOT / "envs", ENVIRONMENT, stage / "environment")
        # accelbench itself is not installed from requirements.txt; the configurations name its commit.
        installed = "".join(
            f"{name}=={number}\n"
            for name, number in sorted(results.machine.distributions.items())
            if name != "accelbench"
        )
        files.write(stage / "environment" / "requirements.txt", installed)
        crate.write(results, stage, _files(stage), authors=people)
        packed = _files(stage)
        sums = "".join(f"{hashlib.sha256((stage / path).read_bytes()).hexdigest()}  {path}\n" for path in packed)
        files.write(stage / MANIFEST, sums)
        files.write(output, _zip(stage, Path(scratch, "bundle.zip")))
    return SimpleNamespace(path=output, count=len(packed) + 1, notes=notes)


def _copy(source, patterns, target):
    for pattern in patterns:
        for path in sorted(source.glob(pattern)):
            if files.inside(source, path.relative_to(source)).is_file():
                destination = target / path.relative_to(source)
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, destination)


def _write_configurations(results, machine, folder):
    """Write a file for each configuration of the results' runs, newest first, with the commit of its latest run.

    The path of an environment's Python is omitted if a lock can install the environment, since other computers have
    other paths.
    """
    peaks = catalog.find([project.PEAKS])  # selected by `peaks: true`, so the key `kernels` omits them
    for number, group in enumerate(to_repeat(results.runs, machine), 1):
        run = group.latest
        state = f"commit {run.commit or 'unknown'}{', with uncommitted changes' if run.dirty else ''}"
        head = f"# Measured {run.started} from {state}. Again: make report CONFIG=<this file>\n"
        kernels = {kernel: sweep for kernel, sweep in group.sweeps.items() if kernel not in peaks}
        data = {**group.common, **({"kernels": kernels} if kernels else {})}
        if places := run.config.environments:
            made = {name: place | {"python": None} for name, place in places.items() if paths.has_lock(name)}
            data |= {"environments": places | made}
        files.write(folder / f"{number}.yaml", head + yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


def _write_sources(results, folder):
    """Write the sources of the measured kernels into `folder`. Return notes on sources that changed or are missing."""
    notes = []
    for kernel, metadata in results.kernels.items():
        source = _kernel_folder(kernel, metadata)
        if source:
            _copy(source, [f"*{suffix}" for suffix in (".py", ".pyx", *sorted(toolchains.suffixes()))], folder / kernel)
        else:
            notes.append(
                f"{kernel}: its folder is missing, so the bundle has only the sources that the results contain"
            )
        texts = {file.name: file.text for about in metadata.implementations.values() for file in about.files}
        for name, text in texts.items():
            place = folder / kernel / name
            here = source and source / name
            if source and not (here.is_file() and here.read_text(encoding="utf-8", errors="replace") == text):
                notes.append(f"{kernel}/{name}: changed since it was measured; the bundle has the measured version")
            files.write(place, text)
    return notes


def _kernel_folder(kernel, metadata):
    """Return the kernel's folder by the configuration of its last run, or None if the folder is missing."""
    named = metadata.runs[-1].config.kernels_path if metadata.runs else None
    config = configuration.parse({"kernels_path": named} if named else {}, f"config of the last run of {kernel}")
    places = (Path(path, kernel) for path in select.kernel_folders(config))
    return next((place for place in places if (place / "kernel.py").is_file()), None)


def _files(folder):
    """Return every file below a folder, as sorted POSIX paths relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _zip(folder, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, (folder / path).read_bytes())
    return target.read_bytes()
