"""Read and write result files.

A crash during `write` leaves either the old or the new content at the path, and perhaps a temporary file beside it. A
crash during `append_lines` may leave an incomplete last line.
"""

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

MOST_BYTES = 2**27  # Maximum bytes of an unpacked result file; the timings of a kernel have a few million bytes
STEP_S = 1e-5  # Difference between consecutive times that end_future sets, in seconds
UNWRITTEN = "Measure first: python -m accelbench run, or make report; for the lectures' figures: make lecture"


@contextlib.contextmanager
def naming(path):
    """Make every OSError that is raised in the context name `path`.

    The folder of `path` exists, so ENOENT here means that no file can be created in it. Report ENOENT as EACCES.
    """
    try:
        yield
    except OSError as error:
        number = errno.EACCES if error.errno == errno.ENOENT else error.errno
        raise OSError(number, os.strerror(number), str(path)) from error


def make_folder(path):
    """Make the folder `path` and missing folders above it. An OSError names the folder that cannot be made."""
    path = Path(path)
    if not path.is_dir():
        if path.parent != path:
            make_folder(path.parent)
        with naming(path):
            path.mkdir(exist_ok=True)


def scratch(folder):
    """Return a tempfile.TemporaryDirectory in `folder`. If `folder` is missing, make it."""
    make_folder(folder)
    with naming(folder):
        return tempfile.TemporaryDirectory(dir=folder)


@contextlib.contextmanager
def temporary_files(folder):
    """Let processes that start in the context write temporary files to `folder`. Remove the folder at the end.

    If this process is killed, the next call empties the folder.
    """
    tempfile.gettempdir()  # tempfile caches this process's folder before TMPDIR changes
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # if the folder cannot be made, programs use another one
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
    """Replace future modification times of files in a folder by times just before now, in the same order.

    Future times occur if the computer's clock was fast before or is slow now. New outputs would then be older than
    their inputs. Snakemake rejects such outputs.
    """
    now = time.time()
    entries = sorted((path.lstat().st_mtime, path) for path in Path(folder).rglob("*"))
    for number, (mtime, path) in enumerate(reversed(entries)):
        if mtime > now:
            with contextlib.suppress(OSError):
                os.utime(path, (now - STEP_S * number,) * 2, follow_symlinks=False)


def inside(folder, name):
    """Return the path of `name` in `folder`. Raise InputError if `name` has a null character or leads out of it."""
    path = Path(folder, name)
    if "\0" in str(name) or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise InputError(folder, f"{str(name)!r} lies outside of it", "Copy the folder again from its source")
    return path


def check_links(folder):
    """Raise InputError if `folder` contains a link that leads out of it, a pipe, a device or a broken link.

    `folder` itself may be a link.
    """
    for place, folders, names in os.walk(folder):
        for path in (Path(place, name) for name in (*folders, *names)):
            if path.is_symlink():
                inside(folder, path.relative_to(folder))
            if not (path.is_file() or path.is_dir()):
                raise InputError(path, "is neither a file nor a folder, nor a link to one", "Remove it")


def write(path, data):
    """Write text or bytes to `path`: write a temporary file in the same folder, fsync it and rename it.

    Follow links. Write to a pipe or a device directly. If writing fails, a file at `path` is unchanged. The OSError
    names `path`, or the folder that cannot be made.
    """
    path = Path(os.path.realpath(path))
    make_folder(path.parent)
    data = data.encode() if isinstance(data, str) else data
    if path.exists() and not (path.is_file() or path.is_dir()):
        with naming(path):
            path.write_bytes(data)
        return
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with naming(path):
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def check_size(path, most=MOST_BYTES):
    """Raise InputError if a file is a device, pipe or socket, or has more than `most` bytes."""
    status = Path(path).stat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise InputError(path, "is not a regular file", "Replace it by a regular file")
    if status.st_size > most:
        raise InputError(path, f"has {status.st_size} bytes", f"Such a file has at most {most}")


def either(path):
    """Return `path`, or the path of the compressed file `path`.xz if only this file exists."""
    packed = path.with_name(f"{path.name}.xz")
    return packed if packed.exists() and not path.exists() else path


def unpacked(path, again):
    """Return the bytes of a file, decompressed if its name ends in .xz.

    Raise OSError if the file cannot be read. Raise InputError if the file is too large. Raise InputError with the
    remedy `again` if the compressed content is damaged or too large.
    """
    check_size(path)
    data = path.read_bytes()
    if path.suffix == ".xz":
        unpacking = lzma.LZMADecompressor(memlimit=MOST_BYTES)
        try:
            data = unpacking.decompress(data, MOST_BYTES)
        except lzma.LZMAError as error:
            raise InputError(path, f"cannot be decompressed: {error}", again) from None
        if not unpacking.eof:
            raise InputError(path, f"is cut off, or has more than {MOST_BYTES >> 20} MB", again)
    return data


def write_json(path, value, *, indent=2, **options):
    write(path, json.dumps(value, indent=indent, **options) + "\n")


def read_json(path, again="Delete it and run again"):
    """Return the JSON value in a file, decompressed if its name ends in .xz. Escape control characters in its texts.

    Raise InputError if the file cannot be read, is too large or is not complete JSON. If the JSON is not complete, the
    remedy is `again`.
    """
    try:
        return with_texts(json.loads(unpacked(Path(path), again).decode()), printable)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", UNWRITTEN) from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"is not complete JSON: {error}", again) from None


def append_lines(path, values):
    """Append JSON values, one per line, and fsync. If a crash cut off the last line, first end this line.

    If an OSError occurs, for example because the disk is full, the file is unchanged.
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
    """Return (values, [(line number, problem), ...]) of a JSON-lines file, or ([], []) if the file is missing.

    Control characters in texts are escaped. A line has a problem if it is not JSON or `parse` raises ValueError. Raise
    InputError if an existing file cannot be read.

    parse  function that converts the JSON value of a line
    """
    values, problems = [], []
    try:
        check_size(path, math.inf)  # a device such as /dev/zero has no end
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
    """Return the digest of `parts`, which are strings, bytes or JSON values.

    The digest is the first 32 hexadecimal digits of the SHA-256. It depends on the order of the parts.
    """
    total = hashlib.sha256()
    for part in parts:
        if not isinstance(part, (str, bytes)):
            part = json.dumps(part, sort_keys=True, default=str)
        part = part.encode() if isinstance(part, str) else part
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()[:32]


def place():
    """Return the place of this process: the names of its computer and PID namespace.

    Processes in the same place can see each other.
    """
    return f"{os.uname().nodename}, {os.readlink('/proc/self/ns/pid')}"


@contextlib.contextmanager
def locked(path, busy, wait_s=0.0):
    """Lock the file `path` with fcntl within the context. While it is locked, the file contains this process's id.

    Raise InputError if another process has the lock for `wait_s` seconds. Its message is busy("process ID on HOST"). If
    this process is killed, the operating system releases the lock. The file is never removed.
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
            stream.truncate(0)  # only a killed process leaves its id in the file
