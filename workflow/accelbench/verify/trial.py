"""Loads kernels whose functions have been tried, in another process first, so that a kernel.py that ends its process,
hangs or takes all the memory costs its kernel: neither the plan nor the kernels beside it. What was right once is
remembered by its digest."""

import contextlib
import faulthandler
import json
import os
import platform
import resource
import signal
import socket
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from accelbench.errors import InputError
from accelbench.kernels import catalog, specification
from accelbench.kernels.folder import CALL, KernelFolder
from accelbench.processes import keeper
from accelbench.store import files

DEADLINE_S = 10.0  # of one function
MEMORY_BYTES = 4 << 30  # that one may add to what this process has
MEMORY = Path(__file__).resolve().parents[3] / ".snakemake" / "accelbench-kernels.json"
REMEMBERED = 500
TRIAL_SIZE = 2
CHECKING = ("kernels/*.py", "verify/trial.py", "kernel.py")
REMEDY = "Correct the file"


def load(path: str | Path) -> KernelFolder:
    """The kernel at `path`; InputError where it cannot be used."""
    (kernel,) = load_each([path])
    if isinstance(kernel, InputError):
        raise kernel
    return kernel


def load_each(paths: Iterable[str | Path]) -> list[KernelFolder | InputError]:
    """The kernel at each of `paths`, or the InputError that says why it cannot be used."""
    resolved = [Path(path).resolve() for path in paths]
    kernels = _problems([(path, None) for path in resolved])
    for number, problem in enumerate(kernels):
        try:
            kernels[number] = problem or catalog.load(resolved[number])
        except InputError as error:
            kernels[number] = error
    return kernels


def try_options(kernel: KernelFolder, options: dict[str, Any]) -> None:
    """InputError where functions of a kernel.py cannot be used with these options."""
    (problem,) = _problems([(kernel.path, options)])
    if problem:
        raise problem


def _examine(path, options):
    """Load a kernel and call its functions at a size that costs nothing, with `options` or, where None, with their own
    values, and then the reference, too; InputError where one fails or returns what cannot be used."""
    kernel = catalog.load(path)
    spec, given = kernel.spec, kernel.spec.options if options is None else options
    for dtype in spec.dtypes:
        _try_functions(kernel, dtype, given)
        if options is None:
            _try_reference(kernel, dtype)
    if options is None:
        kernel.cost(max(spec.sizes["default"]), np.dtype(spec.dtypes[0]).itemsize, spec.options)


def _try_functions(kernel, dtype, options):
    inputs = kernel.inputs(TRIAL_SIZE, dtype, np.random.default_rng(0), options)
    exact = kernel.inputs(TRIAL_SIZE, dtype, np.random.default_rng(0), options, exact=True)
    specification.check_alike(kernel.file, inputs, exact)
    specification.check_together(kernel.file, inputs, kernel.outputs(TRIAL_SIZE, dtype, options), options=options)
    kernel.cost(TRIAL_SIZE, np.dtype(dtype).itemsize, options)
    kernel.held(TRIAL_SIZE, dtype, options)


def _try_reference(kernel, dtype):
    problem = {"size": TRIAL_SIZE, "dtype": dtype, "options": kernel.spec.options}
    inputs = kernel.inputs(rng=np.random.default_rng(0), **problem)
    expected = kernel.expected(inputs=inputs, **problem)
    for exact in (False, True):
        kernel.tolerance(inputs=inputs, expected=expected, exact=exact, **problem)
    if "judged" in kernel.functions:
        outputs = kernel.outputs(**problem)
        results = {o.name: np.asarray(e, o.dtype) for o, e in zip(outputs, expected, strict=True)}
        kernel.judged(inputs=inputs, results=results, again=results, **problem)


def _problems(trials):
    """[None, or the InputError that says why it cannot be used] for each (kernel folder, options) of `trials`; nothing
    else decides how one ends."""
    right, digests = _remembered(), [_digest(*trial) for trial in trials]
    left = {number: trial for number, trial in enumerate(trials) if digests[number] not in right}
    found = {}
    while left:
        found |= _try(left)
        left = {number: trial for number, trial in left.items() if number not in found}
    if new := {digests[number] for number, problem in found.items() if problem is None}:
        with contextlib.suppress(OSError):
            files.write_json(MEMORY, [*right, *new][-REMEMBERED:])
    return [found.get(number) for number in range(len(trials))]


def _digest(folder, options):
    package = Path(__file__).parents[1]
    checks = [file.read_bytes() for pattern in CHECKING for file in sorted(package.glob(pattern))]
    try:
        text = (folder / "kernel.py").read_bytes()
    except OSError as error:
        text = str(error)
    return files.digest(text, options, *checks, platform.python_version(), np.__version__, sys.prefix)


def _remembered():
    try:
        return files.read_json(MEMORY)
    except InputError:
        return []


def _try(trials):
    """{number: None or InputError} of the first of `trials`, up to the one that ends or stalls the process."""
    ours, theirs = socket.socketpair()
    ours.settimeout(DEADLINE_S)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside NumPy's threads, which survive it
        child = os.fork()
    if child == 0:
        _keep(theirs, trials)
    theirs.close()
    problems, doing, stalled = {}, "importing it", False
    try:
        with ours, ours.makefile() as lines:
            for number, function, problem in map(json.loads, lines):
                doing = function or "importing it"
                if function is None:
                    problems[number] = InputError(*problem) if problem else None
    except TimeoutError:
        stalled = True
    finally:
        os.kill(child, signal.SIGTERM)
        _, status = os.waitpid(child, 0)
    for number, (folder, _) in trials.items():
        if number not in problems:
            return problems | {number: InputError(folder / "kernel.py", f"{doing} {_end(status, stalled)}", REMEDY)}
    return problems


def _end(status, stalled):
    """What happened to a process instead of an answer."""
    if os.WIFEXITED(status):
        return f"ends the process (exit status {os.WEXITSTATUS(status)})"
    if stalled:
        return f"takes longer than {DEADLINE_S:g} s"
    return f"ends the process ({signal.Signals(os.WTERMSIG(status)).name})"


def _keep(channel, trials):
    """Examine in a child of this process and end as that one does, once nothing it has started is left; ask by SIGTERM
    to end it earlier, as the end of the planning process does."""
    examining = None

    def end(*_):
        if examining:
            with contextlib.suppress(ProcessLookupError):
                os.kill(examining, signal.SIGKILL)

    try:
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, end)
        keeper.adopt_orphans()
        keeper.end_with_parent(signal.SIGTERM)
        examining = os.fork()
        if examining == 0:
            _examine_all(channel, trials)
        channel.close()
        _, status = os.waitpid(examining, 0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        keeper.end_descendants()
        if not os.WIFSIGNALED(status):
            os._exit(os.waitstatus_to_exitcode(status))
        with contextlib.suppress(OSError):  # of the signals that nothing can catch
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    finally:
        os._exit(1)


def _examine_all(channel, trials):
    """Examine one after the other and write what comes of it, in the other process, which ends here."""
    myself, number = os.getpid(), None

    def tell(function, problem=None):
        if os.getpid() == myself:  # not what a kernel.py has forked
            channel.sendall(json.dumps([number, function, problem]).encode() + b"\n")

    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        sys.addaudithook(lambda event, arguments: tell(arguments[0]) if event == CALL else None)
        for number, (folder, options) in trials.items():  # noqa: B007  `tell` reads it
            try:
                _examine(folder, options)
                tell(None)
            except InputError as error:
                tell(None, [error.where, error.problem, error.remedy])
            except MemoryError:
                problem = f"takes more than {MEMORY_BYTES >> 30} GiB of memory"
                tell(None, [str(folder / "kernel.py"), problem, REMEDY])
    finally:
        os._exit(1)
