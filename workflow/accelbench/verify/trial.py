"""Load kernels after trying their functions in another process.

If a kernel.py ends that process, hangs or exhausts memory, the caller and the other kernels are not affected. The file
MEMORY has the digests of kernels that passed, so that these kernels are not tried again.
"""

import contextlib
import platform
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.kernels.folder import KernelFolder
from accelbench.rpc.process import Failed
from accelbench.store import files
from accelbench.verify.process import Verifier

DEADLINE_S = 10.0  # Maximum total time of all functions of a kernel, in seconds
MEMORY_BYTES = 4 << 30  # Memory limit of the process that tries the functions, in bytes
MEMORY = Path(__file__).resolve().parents[3] / ".snakemake" / "accelbench-kernels.json"
REMEMBERED = 500  # Maximum number of digests in MEMORY
# Files of this package whose changes make all digests invalid
CHECKING = ("kernels/*.py", "verify/*.py", "kernel.py")
REMEDY = "Correct the file"


def load(path: str | Path) -> KernelFolder:
    """Return the kernel at `path`. Raise InputError if it cannot be used."""
    (kernel,) = load_each([path])
    if isinstance(kernel, InputError):
        raise kernel
    return kernel


def load_each(paths: Iterable[str | Path]) -> list[KernelFolder | InputError]:
    """Return the kernel at each of `paths`, or an InputError with the reason why it cannot be used."""
    resolved = [Path(path).resolve() for path in paths]
    kernels = _problems([(path, None, None) for path in resolved])
    for number, problem in enumerate(kernels):
        try:
            kernels[number] = problem or catalog.load(resolved[number])
        except InputError as error:
            kernels[number] = error
    return kernels


def try_options(kernel: KernelFolder, options: dict[str, Any], sizes: Iterable[int]) -> None:
    """Raise InputError if functions of a kernel.py fail with these options, or at one of these sizes."""
    (problem,) = _problems([(kernel.path, options, sorted(sizes))])
    if problem:
        raise problem


def _problems(trials):
    """Return an InputError, or None if there is no problem, for each trial (kernel folder, options, sizes).

    Skip trials whose digest is in the file MEMORY, since they passed before.
    """
    right, digests, problems = _remembered(), [_digest(*trial) for trial in trials], [None] * len(trials)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with contextlib.closing(Verifier(DEADLINE_S, MEMORY_BYTES, **quiet)) as verifier:
        for number, trial in enumerate(trials):
            if digests[number] not in right:
                problems[number] = _problem(verifier, trial)
    outcomes = zip(digests, problems, strict=True)
    if new := [digest for digest, problem in outcomes if problem is None and digest not in right]:
        with contextlib.suppress(OSError):
            files.write_json(MEMORY, [*right, *new][-REMEMBERED:])
    return problems


def _problem(verifier, trial):
    try:
        return verifier.examine(*trial)
    except InputError as error:
        return error
    except Failed as failed:
        what = f"takes more than {MEMORY_BYTES >> 30} GiB of memory" if failed.alive else failed.reason
    return InputError(trial[0] / "kernel.py", what, REMEDY)


def _digest(folder, options, sizes):
    package = Path(__file__).parents[1]
    checks = [file.read_bytes() for pattern in CHECKING for file in sorted(package.glob(pattern))]
    try:
        text = (folder / "kernel.py").read_bytes()
    except OSError as error:
        text = str(error)
    return files.digest(text, options, sizes, *checks, platform.python_version(), np.__version__, sys.prefix)


def _remembered():
    try:
        return files.read_json(MEMORY)
    except InputError:
        return []
