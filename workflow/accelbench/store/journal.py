"""The journal: every finished problem, appended at once, and what of it still holds."""

import fnmatch
import os
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from accelbench.errors import InputError
from accelbench.model.entry import Again, JournalEntry
from accelbench.model.metadata import Measuring
from accelbench.model.watched import WatchedProblem
from accelbench.store import files, formats

PASSING = ("crashed", "error", "out_of_memory")  # outcomes whose cause may be gone by the next run
TRIES = 2  # of a case with such an outcome, in runs of their own
BUSY_S = 10.0  # how long to wait for a process that holds a journal: one of a run that was killed is about to end


def parse_line(value: Any) -> JournalEntry | Measuring | Again | WatchedProblem:
    """What a line of the journal says; ValueError where it is neither a whole entry nor a note."""
    for name, note in (("run", Measuring), ("again", Again), ("watched", WatchedProblem)):
        if isinstance(value, dict) and "case" not in value and name in value:
            return note.model_validate(value[name])
    return JournalEntry.model_validate(value)


class Journal:
    """The journal file of one repetition of a kernel on a machine. Write to it within `with journal.lock():`."""

    def __init__(self, path):
        self.path = Path(path)
        self.entries = defaultdict(list)  # by case and key
        self.runs, self.watched, self.damaged = [], [], []

    def lock(self):
        """Lock the journal for this process; InputError naming the holder where another keeps it."""
        lock = self.path.with_suffix(".lock")
        return files.locked(lock, lambda holder: f"{holder} is measuring this kernel", BUSY_S)

    def read(self):
        """Load every entry that is whole; `damaged` lists the lines that are not."""
        lines, self.damaged = files.read_lines(self.path, parse_line)
        self.entries.clear()
        for line in lines:
            if isinstance(line, JournalEntry):
                self._keep([line])
            elif isinstance(line, Again):
                self.forget(line)
        self.runs = [line for line in lines if isinstance(line, Measuring)]
        self.watched = [line for line in lines if isinstance(line, WatchedProblem)]
        return self

    def append(self, entries):
        """Append entries: flushed and fsynced before this returns. InputError where the disk is full."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        self._write([{"written": stamp, **entry.model_dump(mode="json")} for entry in entries])
        self._keep(entries)

    def measure_again(self, again):
        """Note that what an Again tells of holds no more; which cases those are."""
        dropped = self.forget(again)
        if dropped:
            self._write([{"again": again.model_dump()}])
        return dropped

    def note_run(self, run):
        """Append what is known of one measuring as a whole: when, how long, from which commit."""
        self._write([{"run": run.model_dump(mode="json")}])
        self.runs.append(run)

    def note_watched(self, watched):
        """Append what was sampled beside a problem."""
        self._write([{"watched": watched.model_dump(mode="json")}])

    def _keep(self, entries):
        for entry in entries:
            self.entries[entry.case, entry.key].append(entry)

    def forget(self, again):
        """Forget what holds no more, here and not in the file; the cases it was of."""
        dropped = set()
        for (case, key), entries in self.entries.items():
            if _fits(case, again.cases):
                kept = [entry for entry in entries if again.failures and entry.outcome == "ok"]
                if len(kept) < len(entries):
                    dropped.add(case)
                self.entries[case, key] = kept
        return dropped

    def _write(self, values):
        try:
            files.append_lines(self.path, values)
        except OSError as error:
            raise InputError(
                self.path, f"cannot be written: {error.strerror}", "Free some space and run again"
            ) from None


class KernelJournal:
    """The journals of all repetitions of a kernel. No two processes write the same one.

    `run` is the run of the workflow that reads them."""

    def __init__(self, results, kernel, run=""):
        self._folder, self._kernel, self._run = Path(results) / "journal", kernel, run
        self.parts: list[Journal] = []

    def part(self, number):
        """The journal of the repetition of that number."""
        return Journal(self._folder / f"{self._kernel}.{number}.jsonl")

    @property
    def paths(self):
        """Those that exist, by number."""
        found = self._folder.glob(f"{self._kernel}.[0-9]*.jsonl")
        return sorted(found, key=lambda path: int(path.suffixes[-2][1:]))

    def read(self):
        """Load every entry that is whole."""
        self.parts = [Journal(path).read() for path in self.paths]
        return self

    @property
    def damaged(self):
        """(path, line, problem) of what is not whole."""
        return [(part.path, *found) for part in self.parts for found in part.damaged]

    @property
    def runs(self) -> list[Measuring]:
        return [run for part in self.parts for run in part.runs]

    @property
    def watched(self) -> list[WatchedProblem]:
        return [watched for part in self.parts for watched in part.watched]

    @property
    def numbers(self) -> dict[str, int]:
        """{repetition: its number} of every entry."""
        groups = (entries for part in self.parts for entries in part.entries.values())
        return {entry.repetition: entry.number for entries in groups for entry in entries}

    @property
    def cases(self):
        """{(case, key)} of every entry."""
        return {which for part in self.parts for which, entries in part.entries.items() if entries}

    def entries(self, case, key):
        """Every entry of a case, those of lower repetitions first."""
        return [entry for part in self.parts for entry in part.entries.get((case, key), ())]

    def forget(self, again):
        """Journal.forget of every part."""
        for part in self.parts:
            part.forget(again)

    def measure_again(self, again):
        """Journal.measure_again of every part; how many cases there are. InputError where a process keeps one."""
        dropped = set()
        for path in self.paths:
            journal = Journal(path)
            with journal.lock():
                dropped |= journal.read().measure_again(again)
        if dropped:
            self.set_due(True)
        return len(dropped)

    @property
    def due(self):
        """The file that set_due writes."""
        return self._folder / f"{self._kernel}.due"

    def is_lost(self, numbers):
        """Return whether the journal is missing of a repetition with one of these numbers whose job has measured
        something."""
        described = [self._folder.parent / "repetitions" / self._kernel / f"{number}.json" for number in numbers]
        without = [path for path in described if path.exists() and not self.part(path.stem).path.exists()]
        timings = self._folder.parent / "timings" / f"{self._kernel}.jsonl"
        has_none_of_many = bool(without) and not self.paths and timings.exists() and timings.stat().st_size > 0
        return has_none_of_many or any(map(_has_measured, without))

    def set_due(self, whether):
        """Leave behind whether the next run has something to measure although there are results.

        Snakemake, whose input the file is, then finds it newer than they. Once it is there it stays, old where nothing
        is due: another set of inputs would be a reason to run, too.
        """
        if whether or self.due.exists():
            files.write(self.due, f"{datetime.now(UTC).isoformat()}: {'' if whether else 'nothing '}due\n")
        if not whether and self.due.exists():
            os.utime(self.due, (1, 1))

    def valid(self, case, key, protocol):
        """This case's entries that still hold, in the order of their repetitions. Entries that end a case stand alone.

        A failure whose cause may be gone ends it in the run that saw it, and for good where that was seen twice.
        """
        held = [e for e in self.entries(case.id, key) if _still_true(e, protocol)]
        found = list({e.repetition: e for e in held}.values())  # joined journals may say the same twice
        final = [e for e in found if e.outcome not in ("ok", *PASSING)]
        passing = [e for e in found if e.outcome in PASSING]
        if not final and passing and found[-1].outcome in PASSING and not self._is_due(passing):
            final = passing[-1:]
        return final[-1:] or [e for e in found if e.outcome == "ok"]

    def is_tried_again(self, case, key, protocol):
        """Whether the next run measures a case again that failed in this one."""
        entries = self.valid(case, key, protocol)
        return bool(entries) and entries[-1].outcome in PASSING and _tries(self.entries(case.id, key)) < TRIES

    def _is_due(self, passing):
        return all(entry.run != self._run for entry in passing) and _tries(passing) < TRIES


def _has_measured(path):
    """Whether a repetition's job has measured something, as its file tells; one that cannot be read is made anew."""
    try:
        return formats.read(Measuring, path, "").cases > 0
    except InputError:
        return True


def _tries(entries):
    """In how many runs a case failed for a reason that may pass."""
    return len({entry.run or entry.repetition for entry in entries if entry.outcome in PASSING})


def _still_true(entry, protocol):
    """Predictions and deadlines hold only while the limits they were held against have not been raised."""
    if entry.outcome == "too_slow":
        return entry.result.predicted_s > protocol.max_call_s
    if entry.outcome == "timeout":
        return entry.result.timeout_s >= protocol.timeout_s
    return True


def other_moments(results, kernel=""):
    """Yield what the second repetitions of all kernels but one noted of their scatter: Measuring.scatter."""
    for path in sorted(Path(results, "journal").glob("*.2.jsonl")):
        if path.name != f"{kernel}.2.jsonl":
            yield from [m.scatter for m in files.read_lines(path, _run_alone)[0] if m and m.scatter][-1:]


def _run_alone(value):
    """Return the Measuring that a line notes; None of any other line."""
    return None if "case" in value or "run" not in value else Measuring.model_validate(value["run"])


def knows(results, kernels, pattern):
    """Whether the journals in results/<machine>/ know a case of these kernels that matches `pattern`."""
    every = (case for kernel in kernels for case, _ in KernelJournal(results, kernel).read().cases)
    return any(_fits(case, pattern) for case in every)


def _fits(case, pattern):
    """Whether a case's id matches a pattern, a name's beginning or a glob."""
    return fnmatch.fnmatchcase(case, pattern) or fnmatch.fnmatchcase(case, f"{pattern}/*")


def measure_again(results, kernels, again):
    """Have the next run measure again the cases in results/<machine>/ that an Again tells of; how many there are.
    InputError where another process keeps a journal.

    Figures of lectures that show one of their kernels are measured again, too.
    """
    total = 0
    for kernel in kernels:
        dropped = KernelJournal(results, kernel).measure_again(again)
        for part in Path(results, "lectures").glob(f"*/[0-9]*-{kernel}") if dropped else ():
            (part.parent / "measured.json").unlink(missing_ok=True)
        total += dropped
    return total


def shown_by_figures(results):
    """The kernels that figures of lectures in results/<machine>/ show."""
    return {part.name.partition("-")[2] for part in Path(results, "lectures").glob("*/[0-9]*-*")}
