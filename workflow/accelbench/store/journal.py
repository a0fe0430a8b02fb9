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
from accelbench.store import files, schema1

PASSING = ("crashed", "error", "out_of_memory")  # outcomes whose cause may be gone by the next run
TRIES = 2  # of a case with such an outcome, in runs of their own
BUSY_S = 10.0  # how long to wait for a process that holds a journal: one of a run that was killed is about to end


def parse_line(value: Any) -> JournalEntry | Measuring | Again:
    """What a line of the journal says; ValueError where it is neither a whole entry nor a note."""
    for name, note in (("run", Measuring), ("again", Again)):
        if isinstance(value, dict) and name in value:
            return note.model_validate(value[name])
    return JournalEntry.model_validate(schema1.journal_line(value))


class Journal:
    """The journal file of one kernel on one machine. Use within `with journal.held():`."""

    def __init__(self, path):
        self.path = path
        self.entries = defaultdict(list)  # by case and key
        self.runs, self.damaged = [], []
        self._repetitions = set()  # those that this process has appended

    @property
    def due(self):
        """The file that set_due writes."""
        return self.path.with_suffix(".due")

    def set_due(self, whether):
        """Leave behind whether the next run has something to measure although there are results.

        Snakemake, whose input the file is, then finds it newer than they. Once it is there it stays, old where nothing
        is due: another set of inputs would be a reason to run, too.
        """
        if whether or self.due.exists():
            files.write(self.due, f"{datetime.now(UTC).isoformat()}: {'' if whether else 'nothing '}due\n")
        if not whether and self.due.exists():
            os.utime(self.due, (1, 1))

    def held(self):
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
                self._drop(line)
        self.runs = [line for line in lines if isinstance(line, Measuring)]
        return self

    def append(self, entries):
        """Append entries: flushed and fsynced before this returns. InputError where the disk is full."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        self._write([{"written": stamp, **entry.model_dump(mode="json")} for entry in entries])
        self._keep(entries)
        self._repetitions.update(entry.repetition for entry in entries)

    def measure_again(self, pattern, failures):
        """Note that entries of cases that match `pattern`, a name's beginning or a glob, hold no more, or those alone
        that are failures; how many cases there are."""
        again = Again(cases=pattern, failures=failures)
        dropped = self._drop(again)
        if dropped:
            self.set_due(True)
            self._write([{"again": again.model_dump()}])
        return dropped

    def note_run(self, run):
        """Append what is known of one measuring as a whole: when, how long, from which commit."""
        self._write([{"run": run.model_dump(mode="json")}])
        self.runs.append(run)

    def _keep(self, entries):
        for entry in entries:
            self.entries[entry.case, entry.key].append(entry)

    def _drop(self, again):
        """Forget what holds no more; the number of cases."""
        dropped = set()
        for (case, key), entries in self.entries.items():
            if fnmatch.fnmatchcase(case, again.cases) or fnmatch.fnmatchcase(case, f"{again.cases}/*"):
                kept = [entry for entry in entries if again.failures and entry.outcome == "ok"]
                if len(kept) < len(entries):
                    dropped.add(case)
                self.entries[case, key] = kept
        return len(dropped)

    def _write(self, values):
        try:
            files.append_lines(self.path, values)
        except OSError as error:
            raise InputError(
                self.path, f"cannot be written: {error.strerror}", "Free some space and run again"
            ) from None

    def valid(self, case, key, protocol):
        """This case's entries that still hold, oldest first. Entries that end a case stand alone.

        A failure whose cause may be gone ends it in the run that saw it, and for good where that was seen twice.
        """
        held = [e for e in self.entries.get((case.id, key), ()) if _still_true(e, protocol)]
        found = list({e.repetition: e for e in held}.values())  # joined journals may say the same twice
        final = [e for e in found if e.outcome not in ("ok", *PASSING)]
        if not final and found and found[-1].outcome in PASSING and not self._is_due(found):
            final = found[-1:]
        return final[-1:] or [e for e in found if e.outcome == "ok"]

    def is_tried_again(self, case, key, protocol):
        """Whether the next run measures a case again that failed in this one."""
        entries = self.valid(case, key, protocol)
        return bool(entries) and entries[-1].outcome in PASSING and self._tries(case.id, key) < TRIES

    def _is_due(self, found):
        return found[-1].repetition not in self._repetitions and self._tries(found[-1].case, found[-1].key) < TRIES

    def _tries(self, case, key):
        return len({entry.repetition for entry in self.entries[case, key] if entry.outcome in PASSING})


def _still_true(entry, protocol):
    """Predictions and deadlines hold only while the limits they were held against have not been raised."""
    if entry.outcome == "too_slow":
        return entry.result.predicted_s > protocol.max_call_s
    if entry.outcome == "timeout":
        return entry.result.timeout_s >= protocol.timeout_s
    return True


def measure_again(results, kernels, *, pattern, failures=False):
    """Have the next run measure again the cases in results/<machine>/ that match `pattern`, or those alone that failed;
    how many there are. InputError where another process keeps a journal.

    Figures of lectures that show one of their kernels are measured again, too.
    """
    total = 0
    for kernel in kernels:
        journal = Journal(Path(results, "journal", f"{kernel}.jsonl"))
        if journal.path.exists():
            with journal.held():
                dropped = journal.read().measure_again(pattern, failures)
            for part in Path(results, "lectures").glob(f"*/[0-9]*-{kernel}") if dropped else ():
                (part.parent / "measured.json").unlink(missing_ok=True)
            total += dropped
    return total


def shown_by_figures(results):
    """The kernels that figures of lectures in results/<machine>/ show."""
    return {part.name.partition("-")[2] for part in Path(results, "lectures").glob("*/[0-9]*-*")}
