"""Journals: files of finished measurements. Each repetition of a kernel has its own journal.

An entry of a journal is a line with the result of a case in the journal's repetition. When all cases of a problem that
are measured together are finished, their entries are appended together. Entries may become invalid later.

Other lines are notes: descriptions of measuring jobs, requests to measure again, decisions to stop measuring cases, and
watched problems. A watched problem has samples that show whether the machine's speed changes.
"""

import fnmatch
import os
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from accelbench.errors import InputError
from accelbench.model.entry import Again, Decision, JournalEntry
from accelbench.model.metadata import Measuring
from accelbench.model.watched import WatchedProblem
from accelbench.store import files, formats

PASSING = ("crashed", "error", "out_of_memory")  # Outcomes whose cause may be gone in the next run
TRIES = 2  # Maximum number of runs that try a case with an outcome in PASSING
BUSY_S = 10.0  # Maximum time to wait for the lock of another process, in seconds. A killed run takes time to end


def parse_line(value: Any) -> JournalEntry | Measuring | Again | WatchedProblem | Decision:
    """Return the content of a line in a journal. Raise ValueError if it is neither a complete entry nor a note."""
    for name, note in (("run", Measuring), ("again", Again), ("watched", WatchedProblem), ("race", Decision)):
        if isinstance(value, dict) and "case" not in value and name in value:
            return note.model_validate(value[name])
    return JournalEntry.model_validate(value)


class Journal:
    """The journal file of one repetition of a kernel on a machine. Callers write to it only within journal.lock()."""

    def __init__(self, path):
        self.path = Path(path)
        self.entries = defaultdict(list)  # {(case, key): JournalEntries}
        self.runs, self.watched, self.decisions, self.damaged = [], [], [], []

    def lock(self):
        """Return a context that locks the journal, or raises InputError if another process has the lock for BUSY_S."""
        return files.locked(self.path.with_suffix(".lock"), lambda holder: f"{holder} is measuring this kernel", BUSY_S)

    def read(self):
        """Load complete entries and notes, except entries invalidated by an Again. List damaged lines in `damaged`."""
        lines, self.damaged = files.read_lines(self.path, parse_line)
        self.entries.clear()
        self.decisions.clear()
        for line in lines:
            if isinstance(line, JournalEntry):
                self.entries[line.case, line.key].append(line)
            elif isinstance(line, Decision):
                self.decisions.append(line)
            elif isinstance(line, Again):
                self.forget(line)
        self.runs = [line for line in lines if isinstance(line, Measuring)]
        self.watched = [line for line in lines if isinstance(line, WatchedProblem)]
        return self

    def append(self, entries):
        """Append entries and fsync. Raise InputError if the file cannot be written, for example on a full disk."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        self._write([{"written": stamp, **entry.model_dump(mode="json")} for entry in entries])
        for entry in entries:
            self.entries[entry.case, entry.key].append(entry)

    def measure_again(self, again):
        """Invalidate the entries that an Again selects. Return the ids of the affected cases.

        Append the Again to the file, unless it affects no case.
        """
        dropped = self.forget(again)
        if dropped:
            self.note(again=again)
        return dropped

    def note(self, **note):
        """Append a note: run=Measuring, watched=WatchedProblem, race=Decision or again=Again."""
        self._write([{name: value.model_dump(mode="json") for name, value in note.items()}])

    def forget(self, again):
        """Remove from memory the entries that an Again selects. The file is unchanged. Return ids of affected cases.

        Unless the Again selects only failures, also remove the decisions whether later repetitions measure these cases.
        """
        dropped = set()
        for (case, key), entries in self.entries.items():
            if _fits(case, again.cases):
                remainder = [entry for entry in entries if again.failures and entry.outcome == "ok"]
                if len(remainder) < len(entries):
                    dropped.add(case)
                self.entries[case, key] = remainder
        for decision in () if again.failures else self.decisions:
            for case in [case for case in decision.cases if _fits(case, again.cases)]:
                del decision.cases[case]
                dropped.add(case)
        return dropped

    def _write(self, values):
        try:
            files.append_lines(self.path, values)
        except OSError as error:
            raise InputError(
                self.path, f"cannot be written: {error.strerror}", "Free some space and run again"
            ) from None


class KernelJournal:
    """The journals of all repetitions of a kernel. Locks prevent two processes from writing to the same journal.

    run      id of the workflow's run that reads the journals
    parts    the Journals that were read
    runs, watched  Measurings and WatchedProblems in the journals
    damaged  (path, line, problem) of each damaged line
    """

    def __init__(self, results, kernel, run=""):
        self._folder, self._kernel, self._run = Path(results) / "journal", kernel, run
        self.parts, self.runs, self.watched, self.damaged = [], [], [], []

    def part(self, number):
        """Return the journal of the repetition with this number."""
        return Journal(self._folder / f"{self._kernel}.{number}.jsonl")

    @property
    def paths(self):
        """Return the paths of the existing journals, sorted by the numbers of their repetitions."""
        paths = self._folder.glob(f"{self._kernel}.[0-9]*.jsonl")
        return sorted(paths, key=lambda path: int(path.suffixes[-2][1:]))

    def read(self):
        """Load all complete entries and notes of all repetitions."""
        self.parts = [Journal(path).read() for path in self.paths]
        self.runs = [run for part in self.parts for run in part.runs]
        self.watched = [watched for part in self.parts for watched in part.watched]
        self.damaged = [(part.path, *damage) for part in self.parts for damage in part.damaged]
        return self

    @property
    def numbers(self) -> dict[str, int]:
        """Return {id of a repetition: its number} for the repetitions of all entries."""
        groups = (entries for part in self.parts for entries in part.entries.values())
        return {entry.repetition: entry.number for entries in groups for entry in entries}

    @property
    def cases(self):
        """Return the set of (case, key) of all entries."""
        return {which for part in self.parts for which, entries in part.entries.items() if entries}

    def entries(self, case, key):
        """Return every entry of a case with this key, in the order of the repetitions' numbers."""
        return [entry for part in self.parts for entry in part.entries.get((case, key), ())]

    def decided(self, after):
        """Return the decisions, made after the repetition `after`, on which cases to measure in later repetitions.

        The result is {(case, key): Left if later repetitions skip the case, None if they measure it}.
        """
        made = (decision for part in self.parts for decision in part.decisions if decision.after == after)
        return {(case, key): left for decision in made for case, (key, left) in decision.cases.items()}

    def forget(self, again):
        """Remove from memory the entries that an Again selects, in all repetitions. The files are unchanged."""
        for part in self.parts:
            part.forget(again)

    def measure_again(self, again):
        """Invalidate the entries that an Again selects, in all journals. Return the number of affected cases.

        Raise InputError if another process has locked a journal.
        """
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
        """Return the path of the file that set_due writes."""
        return self._folder / f"{self._kernel}.due"

    def is_lost(self, numbers):
        """Return whether a repetition in `numbers` has no journal, although the repetition's job measured cases.

        Also return True if such a repetition has ended and the kernel has timings, but no journal at all.
        """
        described = [self._folder.parent / "repetitions" / self._kernel / f"{number}.json" for number in numbers]
        without = [path for path in described if path.exists() and not self.part(path.stem).path.exists()]
        timings = self._folder.parent / "timings" / f"{self._kernel}.jsonl"
        has_none_of_many = bool(without) and not self.paths and timings.exists() and timings.stat().st_size > 0
        return has_none_of_many or any(map(_has_measured, without))

    def set_due(self, whether):
        """Set whether the next run measures cases of this kernel although the output files exist.

        The rules that measure and merge a kernel's repetitions have the file `due` as an input. If `whether`, write the
        file anew, so that Snakemake runs the rules again. Otherwise, give the file an old modification time. Do not
        remove the file, since Snakemake also runs a rule again if an input disappears.
        """
        if whether or self.due.exists():
            files.write(self.due, f"{datetime.now(UTC).isoformat()}: {'' if whether else 'nothing '}due\n")
        if not whether and self.due.exists():
            os.utime(self.due, (1, 1))

    def valid(self, case, key, protocol):
        """Return the entries of a case with this key that are ok and valid under `protocol`, ordered by repetition.

        If the case has a final failure, after which it is not measured again, return only the last final failure.
        A failure is final if its outcome is not in PASSING. Without such a failure, the last entry is final if its
        outcome is in PASSING and such outcomes occurred in this run or in TRIES runs.
        """
        valid_entries = [e for e in self.entries(case.id, key) if _still_true(e, protocol)]
        entries = list({e.repetition: e for e in valid_entries}.values())  # a user may concatenate copies of a journal
        final = [e for e in entries if e.outcome not in ("ok", *PASSING)]
        passing = [e for e in entries if e.outcome in PASSING]
        if not final and passing and entries[-1].outcome in PASSING and not self._is_due(passing):
            final = passing[-1:]
        return final[-1:] or [e for e in entries if e.outcome == "ok"]

    def is_tried_again(self, case, key, protocol):
        """Return whether a case failed in this run and the next run measures it again."""
        entries = self.valid(case, key, protocol)
        return bool(entries) and entries[-1].outcome in PASSING and _tries(self.entries(case.id, key)) < TRIES

    def _is_due(self, passing):
        return all(entry.run != self._run for entry in passing) and _tries(passing) < TRIES


def _has_measured(path):
    """Return whether the job that wrote the repetition's file `path` measured cases; True if the file is damaged."""
    try:
        return formats.read(Measuring, path, "").cases > 0
    except InputError:
        return True


def _tries(entries):
    """Return the number of runs in which a case failed with an outcome in PASSING."""
    return len({entry.run or entry.repetition for entry in entries if entry.outcome in PASSING})


def _still_true(entry, protocol):
    """Return whether an entry is valid under `protocol`.

    A too_slow entry is valid if its predicted time exceeds max_call_s. A timeout is valid unless timeout_s was raised.
    """
    if entry.outcome == "too_slow":
        return entry.result.predicted_s > protocol.max_call_s
    if entry.outcome == "timeout":
        return entry.result.timeout_s >= protocol.timeout_s
    return True


def other_moments(results, kernel=""):
    """Yield the newest Measuring.scatter of each kernel that has one, except `kernel`.

    A scatter contains statistics of ratios' variances between the first two repetitions. The journals of second
    repetitions contain the scatters.
    """
    for path in sorted(Path(results, "journal").glob("*.2.jsonl")):
        if path.name != f"{kernel}.2.jsonl":
            yield from [m.scatter for m in files.read_lines(path, _run_alone)[0] if m and m.scatter][-1:]


def _run_alone(value):
    """Return the Measuring in the value of a line, or None if the line has no Measuring."""
    return None if "case" in value or "run" not in value else Measuring.model_validate(value["run"])


def knows(results, kernels, pattern):
    """Return whether the journals in results/<machine>/ have a case of these kernels whose id matches `pattern`."""
    every = (case for kernel in kernels for case, _ in KernelJournal(results, kernel).read().cases)
    return any(_fits(case, pattern) for case in every)


def _fits(case, pattern):
    """Return whether a glob pattern matches a case's id, or the beginning of the id before a slash."""
    return fnmatch.fnmatchcase(case, pattern) or fnmatch.fnmatchcase(case, f"{pattern}/*")


def measure_again(results, kernels, again):
    """Make the next run measure the cases that an Again selects in results/<machine>/. Return the number of cases.

    Also delete measured.json of lectures' figures that show a kernel with such cases. The next run that makes these
    figures then measures the cases again. Raise InputError if another process has locked a journal.
    """
    total = 0
    for kernel in kernels:
        dropped = KernelJournal(results, kernel).measure_again(again)
        for part in Path(results, "lectures").glob(f"*/[0-9]*-{kernel}") if dropped else ():
            (part.parent / "measured.json").unlink(missing_ok=True)
        total += dropped
    return total


def shown_by_figures(results):
    """Return the kernels that figures of lectures in results/<machine>/ show."""
    return {part.name.partition("-")[2] for part in Path(results, "lectures").glob("*/[0-9]*-*")}
