"""Reading and writing result files so that a crash leaves either the old file or the new one, never half of one."""

import contextlib
import errno
import fcntl
import hashlib
import json
import lzma
import math
import os
import secrets
import shutil
import stat
import tempfile
import time
from pathlib import Path

from accelbench.errors import InputError, printable, with_texts

MOST_BYTES = 2**27  # of a result file, unpacked; a kernel's timings have a few million
STEP_S = 1e-5  # between two times that end_future sets
UNWRITTEN = "Measure first: python -m accelbench run, or make report; for the lectures' figures: make lecture"


@contextlib.contextmanager
def naming(path):
    """An OSError within names `path`; where what would hold it exists, and takes nothing new, it says so: EACCES."""
    try:
        yield
    except OSError as error:
        number = errno.EACCES if error.errno == errno.ENOENT else error.errno
        raise OSError(number, os.strerror(number), str(path)) from error


def make_folder(path):
    """Make the folder `path` and those above it where they are missing. OSError names the one that cannot be made."""
    path = Path(path)
    if not path.is_dir():
        if path.parent != path:
            make_folder(path.parent)
        with naming(path):
            path.mkdir(exist_ok=True)


def scratch(folder):
    """A tempfile.TemporaryDirectory in `folder`, which is made where it is not there."""
    make_folder(folder)
    with naming(folder):
        return tempfile.TemporaryDirectory(dir=folder)


@contextlib.contextmanager
def temporary_files(folder):
    """Have processes that are started meanwhile put what is temporary into `folder`, which is gone afterwards, or is
    emptied by the next who say the same."""
    tempfile.gettempdir()  # this process's own, which it keeps: it is to outlive the folder
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # programs then take another one
        make_folder(folder)
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        shutil.rmtree(folder, ignore_errors=True)


def end_future(folder):
    """Give what is dated in the future in a folder times up to now, in the same order.

    Its clock was ahead, or is behind now. Snakemake would refuse what is made from such files.
    """
    now = time.time()
    found = sorted((path.lstat().st_mtime, path) for path in Path(folder).rglob("*"))
    for number, (mtime, path) in enumerate(reversed(found)):
        if mtime > now:
            with contextlib.suppress(OSError):
                os.utime(path, (now - STEP_S * number,) * 2, follow_symlinks=False)


def inside(folder, name):
    """The path of `name` in `folder`; InputError where that, links resolved, lies outside, or can be no path."""
    path = Path(folder, name)
    if "\0" in str(name) or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise InputError(folder, f"{str(name)!r} lies outside of it", "Take these files from where they came from")
    return path


def check_links(folder):
    """InputError where anything under `folder` is a link that leaves it, or neither file, folder nor link: what is
    read or written there would not be what it seems. `folder` itself may be a link."""
    for place, folders, names in os.walk(folder):
        for path in (Path(place, name) for name in (*folders, *names)):
            if path.is_symlink():
                inside(folder, path.relative_to(folder))
            if not (path.is_file() or path.is_dir()):
                raise InputError(path, "is neither a file nor a folder, nor leads to one", "Remove it")


def write(path, data):
    """Write text or bytes to `path` through a temporary file in the same folder, fsync and rename.

    A link is followed; what is neither file nor folder (a pipe, a device) is written to. OSError names `path`, and
    leaves it as it was.
    """
    path = Path(os.path.realpath(path))
    make_folder(path.parent)
    data = data.encode() if isinstance(data, str) else data
    if path.exists() and not (path.is_file() or path.is_dir()):
        with naming(path):
            path.write_bytes(data)
        return
    with naming(path):  # The folder is there, so what does not exist can only be a place for files in it.
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        stream = temporary.open("xb")
    try:
        with stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def check_size(path, most=MOST_BYTES):
    """InputError where a file to be read is a device, pipe or socket, or has more than `most` bytes."""
    found = Path(path).stat()
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise InputError(path, "is no regular file", "Put the file itself there")
    if found.st_size > most:
        raise InputError(path, f"has {found.st_size} bytes", f"Such a file has at most {most}")


def either(path):
    """Return the path of a file, or of its compressed form if that alone is there."""
    packed = path.with_name(f"{path.name}.xz")
    return packed if packed.exists() and not path.exists() else path


def unpacked(path, again):
    """Return the bytes of a file, decompressed if its name ends in .xz; OSError, or InputError with the remedy `again`
    if it is damaged or too large."""
    check_size(path)
    data = path.read_bytes()
    if path.suffix == ".xz":
        unpacking = lzma.LZMADecompressor(memlimit=MOST_BYTES)
        try:
            data = unpacking.decompress(data, MOST_BYTES)
        except lzma.LZMAError as error:
            raise InputError(path, f"cannot be decompressed: {error}", again) from None
        if not unpacking.eof:
            raise InputError(path, f"is cut off, or holds more than {MOST_BYTES >> 20} MB", again)
    return data


def write_json(path, value, *, indent=2, **options):
    write(path, json.dumps(value, indent=indent, **options) + "\n")


def read_json(path, again="Delete it and run again"):
    """The JSON value in a file, its texts `printable`; InputError where it is missing, or with the remedy `again` where
    it is cut off. A name that ends in .xz is that of a compressed file."""
    try:
        return with_texts(json.loads(unpacked(Path(path), again).decode()), printable)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", UNWRITTEN) from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"is not complete JSON: {error}", again) from None


def append_lines(path, values):
    """Append JSON values, one a line, fsynced; a line cut off by a crash before is closed first.

    OSError, of a full disk for one, leaves the file as it was.
    """
    path = Path(path)
    make_folder(path.parent)
    text = "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values).encode()
    with path.open("ab+", buffering=0) as stream:
        end = stream.seek(0, os.SEEK_END)
        if end:
            stream.seek(end - 1)
            if stream.read(1) != b"\n":
                text = b"\n" + text
        rest = memoryview(text)
        try:
            while rest:
                rest = rest[stream.write(rest) :]
            os.fsync(stream.fileno())
        except OSError:
            stream.truncate(end)
            raise


def read_lines(path, parse=lambda value: value):
    """(values, [(line number, problem), ...]) of a JSON-lines file, texts `printable`; a missing file is empty.

    A line that `parse`, which makes its value of JSON, raises ValueError for is a problem like one that is no JSON.
    """
    values, problems = [], []
    try:
        check_size(path, math.inf)  # a device may have no end
        text = Path(path).read_bytes()
    except FileNotFoundError:
        return values, problems
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Move it away: a file is needed there") from None
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            try:
                values.append(parse(with_texts(json.loads(line), printable)))
            except (ValueError, RecursionError) as error:
                problems.append((number, str(error)))
    return values, problems


def digest(*parts):
    """Hex digest of strings, bytes and JSON-able values, in order."""
    total = hashlib.sha256()
    for part in parts:
        if not isinstance(part, (str, bytes)):
            part = json.dumps(part, sort_keys=True, default=str)
        part = part.encode() if isinstance(part, str) else part
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()[:32]


def place():
    """Return the name of this computer, with its PID namespace: whoever has the same can see the same processes."""
    return f"{os.uname().nodename}, {os.readlink('/proc/self/ns/pid')}"


@contextlib.contextmanager
def locked(path, busy, wait_s=0.0):
    """Hold an fcntl lock on `path`, with this process's id inside meanwhile.

    InputError(path, busy(holder), ...) if it is still held after `wait_s`.

    The lock goes with the process, however it ends; the file stays.
    """
    path = Path(path)
    make_folder(path.parent)
    with path.open("a+") as stream:
        give_up = time.monotonic() + wait_s
        while True:
            try:
                fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() < give_up:
                    time.sleep(0.1)
                    continue
                stream.seek(0)
                holder = stream.read().partition(",")[0].strip() or "another process"
                raise InputError(path, busy(holder), "Wait for it, or stop it") from None
        stream.seek(0)
        stream.truncate()
        stream.write(f"process {os.getpid()} on {place()}\n")
        stream.flush()
        try:
            yield
        finally:
            stream.truncate(0)  # what a killed process leaves
