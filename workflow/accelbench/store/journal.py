"""The journal: every finished problem, appended at once, and what of it still holds."""

import dataclasses
import fnmatch
import os
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

from accelbench.errors import InputError
from accelbench.model.metadata import Measuring
from accelbench.store import files, formats

PASSING = ("crashed", "error", "out_of_memory")  # outcomes whose cause may be gone by the next run
TRIES = 2  # of a case with such an outcome, in runs of their own
BUSY_S = 10.0  # how long to wait for a process that holds a journal: one of a run that was killed is about to end


@dataclasses.dataclass(frozen=True)
class Entry:
    """A case's result in one sitting: the fields of a record that were measured, with plain lists of samples."""

    case: str
    key: str
    sitting: str
    outcome: str
    reason: str | None
    result: dict


class Journal:
    """The journal file of one kernel on one machine. Use within `with journal.held():`."""

    def __init__(self, path):
        self.path = path
        self.entries = defaultdict(list)  # by case and key
        self.runs, self.damaged = [], []
        self._sittings = set()  # those that this process has appended

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
        values, self.damaged = files.read_lines(self.path, formats.check_journal_line)
        fields = {f.name for f in dataclasses.fields(Entry)}
        self.entries.clear()
        for value in values:
            if "case" in value:
                self._keep([Entry(**{k: v for k, v in value.items() if k in fields})])
            elif "again" in value:
                self._drop(**value["again"])
        self.runs = [Measuring(**value["run"]) for value in values if "run" in value]
        return self

    def append(self, entries):
        """Append entries: flushed and fsynced before this returns. InputError where the disk is full."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        self._write([{"written": stamp, **dataclasses.asdict(entry)} for entry in entries])
        self._keep(entries)
        self._sittings.update(entry.sitting for entry in entries)

    def measure_again(self, pattern, failures):
        """Note that entries of cases that match `pattern`, a name's beginning or a glob, hold no more, or those alone
        that are failures; how many cases there are."""
        wanted = {"cases": pattern, "failures": failures}
        dropped = self._drop(**wanted)
        if dropped:
            self.set_due(True)
            self._write([{"again": wanted}])
        return dropped

    def note_run(self, run):
        """Append what is known of one measuring as a whole: when, how long, from which commit."""
        self._write([{"run": formats.to_json(run)}])
        self.runs.append(run)

    def _keep(self, entries):
        for entry in entries:
            self.entries[entry.case, entry.key].append(entry)

    def _drop(self, cases, failures):
        """Forget what measure_again says; the number of cases."""
        dropped = set()
        for (case, key), entries in self.entries.items():
            if fnmatch.fnmatchcase(case, cases) or fnmatch.fnmatchcase(case, f"{cases}/*"):
                kept = [entry for entry in entries if failures and entry.outcome == "ok"]
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
        found = list({e.sitting: e for e in held}.values())  # joined journals may say the same twice
        final = [e for e in found if e.outcome not in ("ok", *PASSING)]
        if not final and found and found[-1].outcome in PASSING and not self._is_due(found):
            final = found[-1:]
        return final[-1:] or [e for e in found if e.outcome == "ok"]

    def is_tried_again(self, case, key, protocol):
        """Whether the next run measures a case again that failed in this one."""
        entries = self.valid(case, key, protocol)
        return bool(entries) and entries[-1].outcome in PASSING and self._tries(case.id, key) < TRIES

    def _is_due(self, found):
        return found[-1].sitting not in self._sittings and self._tries(found[-1].case, found[-1].key) < TRIES

    def _tries(self, case, key):
        return len({entry.sitting for entry in self.entries[case, key] if entry.outcome in PASSING})


def _still_true(entry, protocol):
    """Predictions and deadlines hold only while the limits they were held against have not been raised."""
    if entry.outcome == "too_slow":
        return entry.result["predicted_s"] > protocol.max_call_s
    if entry.outcome == "timeout":
        return entry.result["timeout_s"] >= protocol.timeout_s
    return True


def measure_again(results, kernels, pattern, failures=False):
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
