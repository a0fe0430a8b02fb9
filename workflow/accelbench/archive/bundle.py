"""Bundles: one zip file with all results of a machine and what is needed to repeat them; and the check of such a file.

results/<machine>/     machine.json, timings, journals, kernels, tables, profiles, figures, the lectures' measurements,
                       and of a published folder its pages
configuration/         the configurations, as files for `make report CONFIG=...`
sources/<kernel>/      the sources of the kernels and implementations that were measured
package/               the modules of backends and toolchains
environment/           the installed packages (requirements.txt) and the repository's locks
ro-crate-metadata.json metadata of these files (`archive.crate`)
manifest-sha256.txt    the SHA-256 sum of every other file, in the format of `sha256sum -c`
"""

import hashlib
import io
import re
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

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
RESULTS = (  # of a results folder; what was built is as little of use elsewhere as logs and locks
    "machine.json", "identity.json", "timings/*.jsonl", "timings/*.jsonl.xz", "journal/*.jsonl", "kernels/*.json",
    "kernels/*.json.xz", "tables/*", "tuned/*.json", "profile/*/*", "figures/**/*", "build/*/*/*/*.html",
    "lectures/*/measured.json", "lectures/*/*/kernels/*.json", "lectures/*/*/kernels/*.json.xz",
    "lectures/*/*/timings/*.jsonl", "lectures/*/*/timings/*.jsonl.xz", "*.html", "kernels/*.html", "lectures/*.html",
)  # fmt: skip
PACKAGE = ("backends/*.py", "toolchains/*.py")
ENVIRONMENT = ("*.in", "*.lock", "*.yaml")
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes before they unpack a byte
MOST_BYTES, MOST_OF_MANIFEST = 2**32, 2**23  # unpacked; the latter names 80,000 files
MISLEADING = ':*?"<>|\\'  # what other systems take for another folder, a drive or a stream
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE)  # of Windows
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file in the zip, so that the same results make the same archive


@dataclass(frozen=True)
class Bundled:
    """What was written: the zip file, how many files it holds, and what a reader should know of it."""

    path: Path
    count: int
    notes: list[str]


def bundle(results_dir, output=None, authors=()):
    """Pack results/<machine>/ into `output`, by default <machine>.zip in the current folder; Bundled.

    `authors` are names, with what identifies them: "Jane Doe <https://orcid.org/0000-0002-1825-0097>". InputError where
    one is none, or a result file is missing or damaged. Sources that changed since they were measured are packed as
    they were measured, as far as the results hold them, and named in the notes.
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
        installed = "".join(f"{package}=={number}\n" for package, number in _distributions(results))
        files.write(stage / "environment" / "requirements.txt", installed)
        crate.write(results, stage, _files(stage), authors=people)
        packed = _files(stage)
        sums = "".join(f"{hashlib.sha256((stage / path).read_bytes()).hexdigest()}  {path}\n" for path in packed)
        files.write(stage / MANIFEST, sums)
        files.write(output, _zip(stage, Path(scratch, "bundle.zip")))
    return Bundled(output, len(packed) + 1, notes)


def verify(path):
    """What is wrong with a bundle, one line a file: differs, is missing, is extra, is no plain file, has a name that
    misleads; empty where it is as it was.

    InputError where the file is no bundle at all, or unpacks to more than any. Nothing is written.
    """
    path = Path(path)
    again = "Take it from where it was published, or make it again: python -m accelbench bundle results/<machine>"
    try:
        with zipfile.ZipFile(path) as archive:
            packed = archive.infolist()
            if sum(info.file_size for info in packed) > MOST_BYTES:
                raise InputError(path, f"unpacks to more than {MOST_BYTES >> 30} GB, so it is no bundle", again)
            found = Counter(info.filename for info in packed if info.file_size or not info.is_dir())
            if MANIFEST not in found:
                raise InputError(path, f"holds no {MANIFEST}, so it is no bundle", again)
            expected = _parse(_manifest(archive, path, again), f"{path}:{MANIFEST}", again)
            if not any(re.fullmatch(r"results/[^/]+/machine\.json", name) for name in expected):
                raise InputError(path, "holds no results/<machine>/machine.json, so it is no bundle", again)
            problems = [(name, "is missing") for name in expected if name not in found]
            problems += [(name, "is extra") for name in found if name not in expected and name != MANIFEST]
            alike = Counter(name.casefold() for name in found.elements())
            problems += [(name, "is there more than once") for name in found if alike[name.casefold()] > 1]
            problems += [(info.filename, what) for info in packed for what in _oddities(info)]
            problems += [(name, "differs") for name, wanted in expected.items()
                         if name in found and _sum(archive, name) != wanted]  # fmt: skip
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror or error}", again) from None
    except DAMAGE as error:
        raise InputError(path, f"is no zip file, or a damaged one: {error}", again) from None
    return sorted(f"{name if name.isprintable() else ascii(name)}: {what}" for name, what in problems)


def _manifest(archive, path, again):
    info = archive.getinfo(MANIFEST)
    if info.file_size > MOST_OF_MANIFEST or info.compress_type not in METHODS:
        raise InputError(f"{path}:{MANIFEST}", "is not as bundles have it", again)
    return archive.read(info)


def _oddities(info):
    """What about a packed file is not as in any bundle: where it would be unpacked, and as what."""
    name, mode = info.filename, info.external_attr >> 16
    parts = name.removesuffix("/").split("/")
    if {"", ".", ".."} & set(parts):
        yield "would lie outside its folder"
    odd = not name.isprintable() or set(name) & set(MISLEADING)
    odd = odd or any(part.startswith("-") or part.endswith(" ") or DEVICES.fullmatch(part) for part in parts)
    if odd or name != info.orig_filename:
        yield "has a name that misleads"
    kind, allowed = (stat.S_IFDIR, 0o777) if info.is_dir() else (stat.S_IFREG, 0o666)
    if stat.S_IFMT(mode) not in (0, kind) or stat.S_IMODE(mode) & ~allowed:
        yield "is no plain file"
    if info.compress_type not in METHODS:
        yield "is packed in another way"


def _copy(source, patterns, target):
    for pattern in patterns:
        for path in sorted(source.glob(pattern)):
            if files.inside(source, path.relative_to(source)).is_file():
                destination = target / path.relative_to(source)
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, destination)


def _distributions(results):
    """What was installed, save accelbench itself: its commit says which it was."""
    return sorted((name, number) for name, number in results.machine.distributions.items() if name != "accelbench")


def _write_configurations(results, machine, folder):
    """One file for each configuration that the results came from, newest first, with the commit it ran from. The Python
    of an environment that a lock makes is the one that it makes, wherever it was: others lack that place."""
    peaks = catalog.find([project.PEAKS])  # `peaks: true` names them all
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
    """Write the measured kernels' sources; notes on what is not as it was."""
    notes = []
    for kernel, metadata in results.kernels.items():
        found = _kernel_folder(kernel, metadata)
        if found:
            _copy(found, [f"*{suffix}" for suffix in (".py", ".pyx", *sorted(toolchains.suffixes()))], folder / kernel)
        else:
            notes.append(f"{kernel}: its folder is not here, so only the sources that the results hold are packed")
        texts = {file.name: file.text for about in metadata.implementations.values() for file in about.files}
        for name, text in texts.items():
            place = folder / kernel / name
            here = found and found / name
            if found and not (here.is_file() and here.read_text(encoding="utf-8", errors="replace") == text):
                notes.append(f"{kernel}/{name}: changed since it was measured; packed as it was then")
            files.write(place, text)
    return notes


def _kernel_folder(kernel, metadata):
    """The folder of a kernel's sources as its last run named it, or None where it is not here."""
    named = metadata.runs[-1].config.kernels_path if metadata.runs else None
    config = configuration.parse({"kernels_path": named} if named else {}, f"config of the last run of {kernel}")
    places = (Path(path, kernel) for path in select.kernel_folders(config))
    return next((place for place in places if (place / "kernel.py").is_file()), None)


def _files(folder):
    """Every file under a folder, as sorted POSIX paths relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _zip(folder, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, (folder / path).read_bytes())
    return target.read_bytes()


def _parse(data, where, again):
    """{name: sum} of a manifest."""
    expected = {}
    for number, line in enumerate(io.BytesIO(data), 1):
        wanted, separator, name = line.decode("utf-8", "replace").rstrip("\r\n").partition("  ")
        if not separator or not name or len(wanted) != 64 or name in expected:
            raise InputError(f"{where}:{number}", "is no sum and a name", again)
        expected[name] = wanted
    return expected


def _sum(archive, name):
    """The SHA-256 sum of a packed file, or None where it cannot be unpacked."""
    total = hashlib.sha256()
    if archive.getinfo(name).compress_type not in METHODS:
        return None
    try:
        with archive.open(name) as stream:
            while block := stream.read(2**20):
                total.update(block)
    except (*DAMAGE, OSError):
        return None
    return total.hexdigest()
