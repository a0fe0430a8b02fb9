"""One whole run for people: Snakemake as a child process, one at a time in a folder, a summary at the end."""

import argparse
import contextlib
import ctypes
import json
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import ending
from accelbench.cli.app import interrupted_status, started_by_make
from accelbench.cli.estimate import estimate
from accelbench.config import select
from accelbench.environments import placement
from accelbench.errors import InputError
from accelbench.lectures import needs
from accelbench.machine import identity
from accelbench.machine.devices import probe
from accelbench.measure import plan
from accelbench.model.entry import Again
from accelbench.processes.keeper import PR_SET_PDEATHSIG, end_with_parent
from accelbench.processes.kept import with_package
from accelbench.store import files, journal, load

SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGTSTP}
ROOM_BYTES = 1 << 18  # what Snakemake writes of its own in a run, and some
PATIENCE_S = 5.0  # a terminated Snakemake waits for the jobs that run, which may take minutes, and is killed then
FIRST_NAMESPACE = 0xEFFFFFFC  # inode of the PID namespace that Linux starts with
EVERY_DEVICE = ("*",)
DRY = {"-n", "--dry-run", "--dryrun"}
LOOKING_ONLY = DRY | {"--lint", "--dag", "--rulegraph", "--filegraph", "--summary", "--report"}


class More(NamedTuple):
    """What a run measures besides what is missing.

    again     patterns of the cases to measure again
    failures  whether what failed is tried again
    """

    again: tuple[str, ...] = ()
    failures: bool = False

    @property
    def forgotten(self):
        """What journals are to forget: an Again for each pattern, and one for failures."""
        return [*(Again(cases=pattern) for pattern in self.again), *([Again(cases="*", failures=True)] * self.failures)]


NOTHING_MORE = More()


def run(configfiles, cores, *, directory=".", extra=(), chosen=None, more=NOTHING_MORE):
    """Run the workflow in `directory` and return Snakemake's exit status.

    configfiles  paths of a configuration, none for the default one
    cores        a number, or "all"
    extra        further arguments for Snakemake: targets, options
    chosen       {key: value} of the configuration instead of what the files say
    more         what is measured besides what is missing

    InputError where the configuration cannot be used or another run is at work in the same folder. Snakemake's lock of
    a run that died is removed; interrupts and terminations are passed on, and Snakemake's end is waited for.
    """
    started = time.monotonic()
    _end_with_make()
    directory = Path(directory).resolve()
    configfiles = [Path(path).absolute() for path in configfiles]
    extra, told = _take_settings(extra)
    read_from, chosen = configfiles or [project.DEFAULT_CONFIG], told | (chosen or {})
    instead = [f"{key}={json.dumps(value)}" for key, value in chosen.items()]
    where = " with ".join(filter(None, [configuration.where(read_from), ", ".join(instead)]))
    config = configuration.parse(configuration.read_data(*read_from, settings=chosen), where)
    kernels, unusable = select.plan(config, where)
    names = {*kernels, *unusable}
    project.check_places(directory, config.machines)
    _check_words(extra, directory)
    results = _check_results(directory, config, where)
    command = [*_snakemake(extra, configfiles, instead), "--directory", str(directory), "--cores", str(cores)]
    looking = bool(LOOKING_ONLY.intersection(extra))
    files.make_folder(directory)  # Snakemake makes it in a dry run, too
    with contextlib.nullcontext() if looking else _alone_in(directory):
        _measure_again(results, names, more, looking=looking)
        received = []
        figures = "lecture" in extra and not configfiles
        measured_by = needs.read_configuration(like=config) if figures else config
        forgotten = more.forgotten if looking else ()
        text = _announce(measured_by, kernels, results, words=extra, cores=cores, forgotten=forgotten)
        status = _wait(_start(command, directory), received, _patience_s(config))
        print(text, end="")
        if not received and not looking:
            ended = ending.FinishedRun(status == 0, started, extra, directory)
            print(ending.end(config, names, ended))
        elif signal.SIGINT in received:
            print(ending.stopped(config, kernels, directory, cores=cores, targets=extra))
            status = interrupted_status()
    return status


@contextlib.contextmanager
def _alone_in(directory):
    """Keep other runs out of `directory`, and give processes a folder there for temporary files."""
    lock = directory / "results" / ".lock"
    before = lock.read_text(errors="replace") if lock.is_file() else ""
    with files.locked(lock, lambda holder: f"{holder} runs the workflow here since {_clock(lock.stat().st_mtime)}"):
        _clear_dead_lock(directory, before)
        _check_room(directory)
        with files.temporary_files(directory / "results" / ".tmp"):
            yield


def _take_settings(words):
    """(the words without --config and what follows it, {key: value} of these), as Snakemake reads them."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config", "-C", nargs="*", action="extend", default=[])
    given, kept = parser.parse_known_args(list(words))
    return kept, {key: value for word in given.config for key, value in configuration.read_setting(word).items()}


def _announce(config, kernels, results, *, words, cores, forgotten):
    """Print what a dry run, or one on a terminal, would measure, unless `words` ask for single results.

    Returns what a dry run prints once more below Snakemake's output.
    """
    targets, dry = [word for word in words if word not in DRY], bool(DRY.intersection(words))
    here = all(machine.is_here for machine in config.machines.values())
    if targets not in ([], ["all"], ["lecture"]) or not here or not (dry or sys.stderr.isatty()):
        return ""
    with contextlib.suppress(InputError):  # the stage that meets the error reports it
        swept = None if targets == ["lecture"] else kernels.values()
        text = estimate(config, swept, results, cores=cores, forgotten=forgotten)
        print(text, file=sys.stdout if dry else sys.stderr, flush=True)
        return f"{text}\n" if dry else ""
    return ""


def _start(command, directory):
    """Start Snakemake in a process group of its own: a terminal interrupts this process alone, which passes that on."""
    environment = with_package(_with_cache(os.environ, directory)) | {ending.TELLS: "1"}
    return subprocess.Popen(command, env=environment, preexec_fn=_block_signals(), process_group=0)


def _with_cache(variables, directory):
    """Return `variables` with a folder for Snakemake's cache where that of HOME cannot be written."""
    cache = Path(variables.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "snakemake")
    while not cache.exists():
        cache = cache.parent
    writable = cache.is_dir() and os.access(cache, os.W_OK)
    return {**variables} if writable else {**variables, "XDG_CACHE_HOME": str(directory / ".snakemake" / "cache")}


def _snakemake(extra, configfiles, instead):
    command = [sys.executable, "-m", "accelbench.cli.snakemake", *extra, "--snakefile", str(project.SNAKEFILE)]
    command += ["--configfile", *map(str, configfiles)] if configfiles else []
    return command + (["--config", *instead] if instead else [])


def _end_with_make():
    """Have this process killed when the make that started it is: the next `make report` would find it at work."""
    if started_by_make():
        end_with_parent(signal.SIGKILL)


def _block_signals():
    """Queue SIGNALS in this process until _wait takes them. Return what prepares a child: it is killed when this
    process is, and gets all signals but SIGINT, which cli.snakemake waits for."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    library = ctypes.CDLL(None)

    def prepare():
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS - {signal.SIGINT})

    return prepare


def _patience_s(config):
    """The `patience_s` of _wait; jobs on a cluster go on without a Snakemake, so that it is waited for there."""
    return PATIENCE_S if all(machine.is_here for machine in config.machines.values()) else None


def _wait(child, passed_on=None, patience_s=None):
    """Return the exit status of `child` as a shell gives it. Pass on every signal and append it to `passed_on`.

    Kill the child, with all that it has started, `patience_s` after it was told to terminate, if that is not None.
    """
    deadline = math.inf
    try:
        while child.poll() is None:
            # For a day at most: there are systems that wait no longer.
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
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process ends anyway, whatever follows
            child.send_signal(received.si_signo)
            if received.si_signo != signal.SIGINT and patience_s is not None:
                deadline = min(deadline, time.monotonic() + patience_s)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _pause(child):
    """Stop the process group of `child` and this process until somebody continues this one."""
    os.killpg(child.pid, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    os.killpg(child.pid, signal.SIGCONT)


def _check_words(extra, directory):
    """InputError where Snakemake knows an option not: it would say so below a hundred lines of those it knows; and
    where there is no place for its own report, a path relative to `directory`: it would find out last."""
    if all(word in LOOKING_ONLY - {"--report"} for word in extra if word.startswith("-")):
        return
    from snakemake.cli import get_argument_parser  # only here: a usual run needs it not, and it takes a second

    def refuse(message):
        raise InputError("run", message, "See: python -m accelbench run --help, and snakemake --help")

    parser = get_argument_parser()
    parser.error = refuse
    if written := parser.parse_args(list(extra)).report:
        try:
            _check_room((directory / written).parent)
        except OSError as error:
            problem = f"{written} cannot be written: {error.strerror}"
            raise InputError("--report", problem, "Name a file in a folder that exists and can be written to") from None


def _check_results(directory, config, where):
    """The results folders of a Config's machines, checked."""
    results = [directory / "results" / name for name in config.machines]
    for folder, machine in zip(results, config.machines.values(), strict=True):
        load.check_files(folder)
        if machine.is_here:
            _check_computer(folder, config, where)
    return results


def _check_computer(folder, config, where):
    """InputError where a machine's results are of another computer, or the environments or devices that are asked for
    are not here; patterns in `devices` that match none are told of."""
    placement.check(config.places, where)
    if (folder / "identity.json").exists():
        identity.check(folder)
    if not (folder / "machine.json").exists():
        if config.devices == EVERY_DEVICE and config.device in (0, "all"):
            return  # whatever there is
        described = probe()
    else:
        described = load.read_machine(folder).backends
    try:
        notice = plan.check_devices(config, described, where)
    except InputError:
        notice = plan.check_devices(config, probe(), where)  # they may be here by now
    if notice:
        print(f"note: {notice}", file=sys.stderr)


def _measure_again(results, kernels, more, *, looking):
    """Make the journals of these results folders forget what is to be measured again, of `kernels` and of those that
    only figures of lectures show, but where the run is `looking` only; InputError where none has a pattern, which is
    not that of all."""
    others = {folder: journal.shown_by_figures(folder) - set(kernels) for folder in results}
    for pattern in set(more.again) - {"*"}:  # all of nothing is nothing
        if not any(journal.knows(folder, {*kernels, *other}, pattern) for folder, other in others.items()):
            example = "vector_sum/cffi_api/float64/1000/cpu/threads=1"
            remedy = f"Names look like {example}; * in a pattern stands for anything"
            raise InputError("--again", f"{pattern!r} matches no case that was measured", remedy)
    if looking:
        return
    shown = 0
    for again in more.forgotten:
        for folder, other in others.items():
            journal.measure_again(folder, kernels, again)
            shown += journal.measure_again(folder, other, again)
    if shown:
        what = "make lecture measures again what only lectures' figures show"
        print(f"note: {what} (cases: {shown})", file=sys.stderr)


def _clear_dead_lock(directory, before=""):
    """Remove the lock a dead Snakemake left in `directory`; InputError if one is or may be alive there.

    before  what the last run has left in its own lock
    """
    locks = directory / ".snakemake" / "locks"
    if not locks.is_dir() or not any(locks.iterdir()):
        return
    import psutil  # only here: a usual run needs it not

    hidden = not _sees_all_processes()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any("snakemake" in Path(word).name for word in process.cmdline()[:3]):
                try:
                    folder = process.cwd()
                except psutil.AccessDenied:  # another user's
                    hidden = True
                    continue
                if folder == str(directory):
                    problem = f"process {process.pid} runs Snakemake here since {_clock(process.create_time())}"
                    raise InputError(directory, problem, "Wait for it, or stop it")
    # A run that ended by itself leaves nothing in its lock. One that was killed has left Snakemake's, too.
    place = before.partition(" on ")[2].strip() or (None if hidden else files.place())
    if place != files.place():
        problem = "is locked by a Snakemake that another user, container or computer may run"
        remedy = f"If none runs: snakemake --unlock --directory {shlex.quote(str(directory))}"
        raise InputError(directory, problem, remedy)
    shutil.rmtree(locks)


def _sees_all_processes():
    """Return whether /proc shows every process of this computer: it is not that of a container, nor hides any."""
    return os.stat("/proc/self/ns/pid").st_ino == FIRST_NAMESPACE and os.access("/proc/1/cmdline", os.R_OK)


def _check_room(directory):
    """OSError where Snakemake could not write, such as its log: it would say so in a hundred lines."""
    try:
        with tempfile.TemporaryFile(dir=directory) as stream:
            stream.write(bytes(ROOM_BYTES))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(directory)) from error


def _clock(timestamp):
    return datetime.fromtimestamp(timestamp).strftime("%Y-%m-%d %H:%M:%S")
