"""The journal: every finished problem, appended at once, and the keys that say whether an entry still holds."""

import dataclasses
import platform
from collections import defaultdict
from datetime import UTC, datetime

from accelbench import backends, files, formats
from accelbench.errors import InputError
from accelbench.measure import provenance
from accelbench.record import SCHEMA_VERSION

PROTOCOL_VERSION = 1  # raised by hand whenever measuring changes so that old samples no longer compare with new ones
OUTSIDE_KEY = ("processes", "max_call_s", "timeout_s", "memory_fraction")  # settings that change no sample


class Keys:
    """The key of a case: a digest of everything that can change its answer.

    Kernel specification, implementation and native sources with the headers they include, flags and compiler version,
    the baseline's likewise (speedups are relative to it), parameters, swept or tuned, protocol, machine, library
    versions.
    """

    def __init__(self, folder, config, machine, recipes):
        self._machine = machine
        self._recipes = recipes
        self._implementations = folder.implementations
        protocol = {k: v for k, v in config.protocol.model_dump(mode="json").items() if k not in OUTSIDE_KEY}
        specification = (folder.path / "kernel.py").read_bytes()
        self._common = files.digest(
            PROTOCOL_VERSION,
            SCHEMA_VERSION,
            protocol,
            machine["identity"],
            platform.python_version(),
            provenance.version("numpy"),
            specification,
            self._of(folder.spec.baseline),
        )

    def _of(self, name):
        implementation = self._implementations[name]
        return files.digest(
            implementation.path.read_bytes(),
            list(implementation.flags),
            self._recipes[name],
            {package: provenance.version(package) for package in backends.packages(implementation.backend)},
        )

    def __call__(self, case):
        devices = {d["name"]: d for d in self._machine["backends"][case.backend]["devices"]}
        versions = devices[case.device]["versions"] if case.device in devices else {}
        tuned = [] if case.tuned is None else [case.tuned]
        return files.digest(self._common, self._of(case.implementation), versions, case.id, *tuned)


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

    def held(self):
        """Lock the journal for this process; InputError naming the holder where another has it."""
        return files.locked(self.path.with_suffix(".lock"), lambda holder: f"{holder} is measuring this kernel")

    def read(self):
        """Load every entry that is whole; `damaged` lists the lines that are not."""
        values, self.damaged = files.read_lines(self.path, formats.check_journal_line)
        fields = {f.name for f in dataclasses.fields(Entry)}
        self.entries.clear()
        self._keep(Entry(**{k: v for k, v in value.items() if k in fields}) for value in values if "case" in value)
        self.runs = [value["run"] for value in values if "run" in value]
        return self

    def append(self, entries):
        """Append entries: flushed and fsynced before this returns. InputError where the disk is full."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        self._write([{"written": stamp, **dataclasses.asdict(entry)} for entry in entries])
        self._keep(entries)

    def note_run(self, run):
        """Append what is known of one measuring as a whole: when, how long, from which commit."""
        self._write([{"run": run}])
        self.runs.append(run)

    def _keep(self, entries):
        for entry in entries:
            self.entries[entry.case, entry.key].append(entry)

    def _write(self, values):
        try:
            files.append_lines(self.path, values)
        except OSError as error:
            raise InputError(
                self.path, f"cannot be written: {error.strerror}", "Free some space and run again"
            ) from None

    def valid(self, case, key, protocol):
        """This case's entries that still hold, oldest first. Entries that end a case stand alone."""
        held = [e for e in self.entries.get((case.id, key), ()) if _still_true(e, protocol)]
        found = list({e.sitting: e for e in held}.values())  # joined journals may say the same twice
        final = [e for e in found if e.outcome != "ok"]
        return final[-1:] if final else found


def _still_true(entry, protocol):
    """Predictions and deadlines hold only while the limits they were held against have not been raised."""
    if entry.outcome == "too_slow":
        return entry.result["predicted_s"] > protocol.max_call_s
    if entry.outcome == "timeout":
        return entry.result["timeout_s"] >= protocol.timeout_s
    return True
