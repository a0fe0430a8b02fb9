"""Runs of the workflow: Snakemake as a child process, and a summary. One run at a time can use a folder."""

import argparse
import contextlib
import ctypes
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import ending
from accelbench.cli.app import interrupted_status, started_by_make
from accelbench.cli.estimate import estimate
from accelbench.config import select
from accelbench.console import MEASURE_S, erasing
from accelbench.environments import placement
from accelbench.errors import InputError
from accelbench.lectures import needs
from accelbench.machine import identity
from accelbench.machine.devices import probe
from accelbench.measure import plan
from accelbench.processes.keeper import PR_SET_PDEATHSIG, end_with_parent
from accelbench.processes.supervision import with_package
from accelbench.store import files, journal, load

SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGTSTP}
ROOM_BYTES = 1 << 18  # Minimum free space for Snakemake's own files, in bytes: more than Snakemake writes in a run
PATIENCE_S = 5.0  # Time from SIGTERM or SIGHUP to SIGKILL, in seconds. Snakemake would wait minutes for its jobs
DRY = {"-n", "--dry-run", "--dryrun"}
# Options that change Snakemake's output. If one is given, `run` does not replace Snakemake's logger
FULL_OUTPUT = {"--logger", "--verbose", "-p", "--printshellcmds", "--quiet", "-q", "--debug-dag"}
# Options with which Snakemake runs no jobs
LOOKING_ONLY = DRY | {"--lint", "--dag", "--rulegraph", "--filegraph", "--summary", "--report"}


def run(configfiles, cores, *, directory=".", extra=(), chosen=None, again=()):
    """Run the workflow in `directory`. Return Snakemake's exit status, or interrupted_status() after an interrupt.

    configfiles  paths of configuration files; [] for the default configuration
    cores        a number, or "all"
    extra        further arguments for Snakemake: targets, options
    chosen       {key: value} of the configuration that override the files
    again        Agains, which are requests to measure cases again

    Raise InputError if the configuration is invalid, or if another run uses `directory`. Pass signals on to Snakemake.
    """
    started, received = time.monotonic(), []
    if started_by_make():
        end_with_parent(signal.SIGKILL)  # otherwise a run whose make was killed would block the next `make report`
    directory = Path(directory).resolve()
    configfiles = [Path(path).absolute() for path in configfiles]
    extra, settings = _take_settings(extra)
    settings |= chosen or {}
    overridden = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    read_from = configfiles or [project.DEFAULT_CONFIG]
    where = " with ".join(filter(None, [configuration.where(read_from), ", ".join(overridden)]))
    config = configuration.parse(configuration.read_data(*read_from, settings=settings), where)
    kernels, unusable = select.plan(config, where)
    project.check_places(directory, config.machines)
    _check_words(extra, directory)
    results = _check_results(directory, config, where)
    command = [sys.executable, "-m", "accelbench.cli.snakemake", *extra, "--snakefile", str(project.SNAKEFILE)]
    command += ["--configfile", *map(str, configfiles)] if configfiles else []
    command += ["--config", *overridden] if overridden else []
    looking = bool(LOOKING_ONLY.intersection(extra))
    command += ["--directory", str(directory), "--cores", str(cores)]
    command += [] if looking or FULL_OUTPUT.intersection(extra) else ["--logger", "accelbench"]
    # After SIGTERM, Snakemake waits for its jobs, so `_wait` kills Snakemake after PATIENCE_S. If jobs run on a
    # cluster, `_wait` does not kill Snakemake, because such jobs would go on.
    patience_s = PATIENCE_S if all(machine.is_here for machine in config.machines.values()) else None
    files.make_folder(directory)  # Snakemake makes this folder even in a dry run
    with contextlib.nullcontext() if looking else _alone_in(directory):
        _measure_again(results, {*kernels, *unusable}, again, looking=looking)
        measured_by = needs.read_configuration(like=config) if "lecture" in extra and not configfiles else config
        text, variables = _announce(measured_by, kernels, results, words=extra, cores=cores, forgotten=again)
        status = _wait(_start(command, directory, variables), received, patience_s)
        _clear_dead_lock(directory, f"killed on {files.place()}" if status == 128 + signal.SIGKILL else "")
        print(text, end="")
        if not received and not looking:
            run_ended = {"succeeded": status == 0, "started": started, "targets": extra, "directory": directory}
            print(ending.end(config, {*kernels, *unusable}, **run_ended))
        elif signal.SIGINT in received:
            print(ending.stopped(config, kernels, directory, cores=cores, targets=extra))
            status = interrupted_status()
    return status


@contextlib.contextmanager
def _alone_in(directory):
    """Lock `directory` against other runs, and let processes write temporary files into a folder in `directory`."""
    lock = directory / "results" / ".lock"
    before = lock.read_text(errors="replace") if lock.is_file() else ""
    since = "{} has been running the workflow here since {:%Y-%m-%d %H:%M:%S}"
    with files.locked(lock, lambda holder: since.format(holder, datetime.fromtimestamp(lock.stat().st_mtime))):
        _clear_dead_lock(directory, before)
        _check_room(directory)
        with files.temporary_files(directory / "results" / ".tmp"):
            yield


def _take_settings(words):
    """Return (words without --config and its values, {key: value} of --config). Parse words as Snakemake does."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config", "-C", nargs="*", action="extend", default=[])
    given, remainder = parser.parse_known_args(list(words))
    return remainder, {key: value for word in given.config for key, value in configuration.read_setting(word).items()}


def _announce(config, kernels, results, *, words, cores, forgotten):
    """Print the number of cases to measure, in a dry run or on a terminal.

    Print nothing if `words` has a target other than `all` and `lecture`, or an option other than those in DRY. Print
    nothing if the jobs run on a cluster.

    Return (text, environment variables for the logger plugin). In a dry run, the text is the printed line, which `run`
    prints again below Snakemake's output. Otherwise, the text is empty.
    """
    targets, dry = [word for word in words if word not in DRY], bool(DRY.intersection(words))
    # If machine.json is missing, the estimate takes seconds, because it describes the machine.
    is_known = dry or erasing() or all((home / "machine.json").exists() for home in results)
    whole = targets in ([], ["all"], ["lecture"]) and all(place.is_here for place in config.machines.values())
    with contextlib.suppress(InputError):  # a later stage reports this error
        if whole and is_known:
            text, duration_s = estimate(
                config, None if targets == ["lecture"] else kernels.values(), results, cores=cores, forgotten=forgotten
            )
            if dry:
                print(text, flush=True)
            elif erasing():
                print(text.rsplit(",", 1)[0], file=sys.stderr, flush=True)  # the logger plugin prints the duration
            return f"{text}\n" * dry, {MEASURE_S: str(duration_s)}
    return "", {}


def _start(command, directory, variables):
    """Start Snakemake in a separate process group. A terminal then interrupts only this process, which passes the
    signal on."""
    return subprocess.Popen(
        command,
        env=with_package(_with_cache(os.environ, directory)) | {ending.CALLER_PRINTS: "1"} | variables,
        preexec_fn=_block_signals(),
        process_group=0,
    )


def _with_cache(variables, directory):
    """Return `variables`, with another folder for Snakemake's cache if its usual folder is not writable."""
    cache = Path(variables.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "snakemake")
    while not cache.exists():
        cache = cache.parent
    is_writable = cache.is_dir() and os.access(cache, os.W_OK)
    return {**variables} if is_writable else {**variables, "XDG_CACHE_HOME": str(directory / ".snakemake" / "cache")}


def _block_signals():
    """Block SIGNALS in this process until `_wait` handles them. Return a function that the child process runs first.

    The returned function makes the operating system kill the child when this process ends. It unblocks all SIGNALS
    except SIGINT, which cli.snakemake waits for.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    library = ctypes.CDLL(None)

    def prepare():
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS - {signal.SIGINT})

    return prepare


def _wait(child, passed_on=None, patience_s=None):
    """Wait for `child`. Return its exit status, or 128 + N if signal N killed it, as a shell does.

    Pass SIGINT, SIGTERM and SIGHUP on to the child, and append the signal to `passed_on`. On SIGTSTP, pause the child
    and this process. If `patience_s` is given, kill the child this many seconds after SIGTERM or SIGHUP.
    options.end_with_the_run then ends the child's jobs.
    """
    deadline = math.inf
    try:
        while child.poll() is None:
            # Some systems limit the timeout to a day.
            received = signal.sigtimedwait(SIGNALS, min(max(0.0, deadline - time.monotonic()), 86_400.0))
            if received is None:
                if time.monotonic() >= deadline:
                    child.kill()
                    deadline = math.inf
                continue
            if received.si_signo == signal.SIGTSTP:
                _pause(child)
            if received.si_signo in (signal.SIGCHLD, signal.SIGTSTP):
                continue
            if passed_on is not None:
                passed_on.append(received.si_signo)
            if received.si_signo == signal.SIGINT:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process is ending, so ignore further interrupts
            child.send_signal(received.si_signo)
            if received.si_signo != signal.SIGINT and patience_s is not None:
                deadline = min(deadline, time.monotonic() + patience_s)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    print(erasing(), end="", file=sys.stderr, flush=True)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _pause(child):
    """Pause the process group of `child`, and this process. When SIGCONT continues this process, continue the group."""
    os.killpg(child.pid, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    os.killpg(child.pid, signal.SIGCONT)


def _check_words(extra, directory):
    """Raise InputError if Snakemake does not know an option, or cannot write the file of its option --report.

    Snakemake itself would print a hundred lines of known options. It would check the file of --report only at the end.
    """
    if all(word in LOOKING_ONLY - {"--report"} for word in extra if word.startswith("-")):
        return
    from snakemake.cli import get_argument_parser  # imported lazily, since the import takes a second

    def refuse(message):
        raise InputError("run", message, "See: python -m accelbench run --help, and snakemake --help")

    parser = get_argument_parser()
    parser.error = refuse
    if written := parser.parse_args(list(extra)).report:
        try:
            _check_room((directory / written).parent)
        except OSError as error:
            raise InputError(
                "--report",
                f"{written} cannot be written: {error.strerror}",
                "Name a file in a folder that exists and can be written to",
            ) from None


def _check_results(directory, config, where):
    """Return the results folders of a Config's machines. Raise InputError if a file in these folders is damaged."""
    results = [directory / "results" / name for name in config.machines]
    for folder, machine in zip(results, config.machines.values(), strict=True):
        load.check_files(folder)
        if machine.is_here:
            _check_computer(folder, config, where)
    return results


def _check_computer(folder, config, where):
    """Raise InputError if a folder has results of another kind of computer, or if this computer does not fit a Config.

    It does not fit if workers cannot run in an environment, no pattern in `devices` matches, or the GPU number `device`
    is missing. If only some patterns match no device, print a note.
    """
    placement.check(config.places, where)
    if (folder / "identity.json").exists():
        identity.check(folder)
    is_described = (folder / "machine.json").exists()
    if not is_described and config.devices == ("*",) and config.device in (0, "all"):
        return
    try:
        notice = plan.check_devices(config, load.read_machine(folder).backends if is_described else probe(), where)
    except InputError:
        notice = plan.check_devices(config, probe(), where)  # machine.json may lack new devices
    if notice:
        print(f"note: {notice}", file=sys.stderr)


def _measure_again(results, kernels, again, *, looking):
    """Invalidate the results of the cases that Agains select, in the journals of the results folders.

    kernels  names of the configuration's kernels; this function adds the kernels of lectures' figures
    looking  whether the run measures nothing, as in a dry run; if so, the journals do not change

    Raise InputError if a pattern other than "*" matches no case.
    """
    others = {folder: journal.shown_by_figures(folder) - set(kernels) for folder in results}
    for pattern in {note.cases for note in again} - {"*"}:
        if not any(journal.knows(folder, {*kernels, *other}, pattern) for folder, other in others.items()):
            raise InputError(
                "--again",
                f"{pattern!r} matches no case that was measured",
                "Names look like vector_sum/cffi_api/float64/1000/cpu/threads=1; * in a pattern stands for anything",
            )
    if looking:
        return
    shown = 0
    for note in again:
        for folder, other in others.items():
            journal.measure_again(folder, kernels, note)
            shown += journal.measure_again(folder, other, note)
    if shown:
        print(
            f"note: only figures of lectures show {shown} of these cases: make lecture measures them again",
            file=sys.stderr,
        )


def _clear_dead_lock(directory, before):
    """Remove Snakemake's lock if the last run was killed on this computer and no other Snakemake runs in the folder.

    before  text in the lock of the last run, "... on PLACE"; empty if the last run ended normally
    """
    from psutil import process_iter  # imported lazily, since other commands do not need psutil

    def is_snakemake(process):
        of = SimpleNamespace(**process.info)
        return of.cwd == str(directory) and any(Path(word).name == "snakemake" for word in (of.cmdline or ())[:3])

    was_killed_here = before.partition(" on ")[2].strip() == files.place()
    if was_killed_here and not any(map(is_snakemake, process_iter(["cwd", "cmdline"]))):
        shutil.rmtree(directory / ".snakemake" / "locks", ignore_errors=True)


def _check_room(directory):
    """Raise OSError if `directory` has no space for Snakemake's log. Snakemake would report this in a hundred lines."""
    try:
        with tempfile.TemporaryFile(dir=directory) as stream:
            stream.write(bytes(ROOM_BYTES))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(directory)) from error
