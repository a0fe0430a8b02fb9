"""The read model of one machine's results."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import NamedTuple

from accelbench.analysis import choices
from accelbench.analysis.cases import Case, gather
from accelbench.analysis.devices import short_names
from accelbench.analysis.rows import R, where
from accelbench.analysis.tables.timings import TimingRow
from accelbench.model.results import Results
from accelbench.model.watched import is_peak


class Family(NamedTuple):
    """The problems of a kernel that differ in size alone; `title` names what tells it from the kernel's others."""

    kernel: str
    dtype: str
    options: str
    title: str


class Analysis:
    """What the results of one machine say, each fact computed once, when it is first asked for.

    machine       as in machine.json
    kernels         {kernel: its metadata} of those that accelerate something
    host_devices  names of the devices that are this machine's own cores
    """

    def __init__(self, results: Results):
        self.results = results
        self.machine = results.machine
        self.kernels = {kernel: metadata for kernel, metadata in results.kernels.items() if not is_peak(kernel)}
        self.host_devices = results.machine.host_devices
        self._tables = {}
        self._by_kernel = {}
        self._bests = {}
        self._fastest = {}

    @cached_property
    def cases(self) -> list[Case]:
        """Every case in the order of the tables, each knowing its baselines."""
        return gather(self.results)

    @cached_property
    def problems(self) -> dict[tuple, list[Case]]:
        """{problem: its cases} of kernels that accelerate something."""
        return choices.group_by(choices.accelerating(self.cases), lambda case: case.problem)

    def table(self, row: type[R], kernel: str | None = None, **values) -> list[R]:
        """The rows of a table, by their class, of one kernel or of all, that have these values."""
        if row not in self._tables:
            self._tables[row] = row.rows(self)
        if kernel is None:
            return where(self._tables[row], **values)
        if row not in self._by_kernel:
            self._by_kernel[row] = choices.group_by(self._tables[row], lambda each: each.kernel)
        return where(self._by_kernel[row].get(kernel, ()), **values)

    def bests(self, kind: str, key: Callable[[Case], Hashable]) -> list[choices.Best]:
        """Each group of cases with one key at its best by a kind of time; see choices.bests."""
        if (kind, key) not in self._bests:
            self._bests[kind, key] = choices.bests(self.cases, kind, key)
        return self._bests[kind, key]

    def fastest(self, kind: str, *, on_gpus: bool = False) -> dict[tuple, choices.Best]:
        """{problem: the fastest plausible implementation by a kind of time, of all or of those on GPUs}, told of
        repetitions that had no part in choosing it."""
        if (kind, on_gpus) not in self._fastest:
            found = {}
            for best in self.bests(kind, choices.by_implementation):
                if not best.case.implausible and (best.case.on_accelerator or not on_gpus):
                    found[best.case.problem] = min(found.get(best.case.problem, best), best, key=lambda b: b.seconds)
            self._fastest[kind, on_gpus] = {
                problem: choices.held_out(best, [c for c in self.problems[problem] if c.on_accelerator or not on_gpus])
                for problem, best in found.items()
            }
        return self._fastest[kind, on_gpus]

    @cached_property
    def timings(self) -> dict[str, TimingRow]:
        """{case: its row} of the table of all cases."""
        return {row.case: row for row in self.table(TimingRow)}

    @cached_property
    def gpus(self) -> list[str]:
        """Names of the devices with memory of their own on which anything was timed."""
        rows = (row for row in self.table(TimingRow) if row.kernel in self.kernels and row.compute_s)
        timed = {row.device for row in rows if row.device is not None}
        return sorted(timed - self.host_devices)

    @cached_property
    def is_apart(self) -> bool:
        """Return whether the kernels of any device were timed apart from launching them."""
        return any(row.synchronises is not None for row in self.table(TimingRow))

    @cached_property
    def short_devices(self) -> dict[str, str]:
        """{device: a name short enough for a label}, told apart by numbers where that made them equal."""
        return short_names({row.device for row in self.table(TimingRow) if row.device})

    def families(self, kernel: str) -> list[Family]:
        """A kernel's families, dtypes in its metadata's order: what one figure each is drawn for."""
        order = {dtype: place for place, dtype in enumerate(self.kernels[kernel].dtypes)}
        pairs = {(row.dtype, row.options) for row in self.table(TimingRow, kernel)}
        several = len({options for _, options in pairs}) > 1
        ranked = sorted(pairs, key=lambda pair: (pair[1], order.get(pair[0], len(order)), pair[0]))
        return [
            Family(kernel, dtype, options, f"{dtype}, {options}" if options and several else dtype)
            for dtype, options in ranked
        ]

    def backends(self, kernel: str) -> dict[str, str]:
        """{implementation: backend} of a kernel; those of unknown ones are "other"."""
        return defaultdict(lambda: "other", {row.implementation: row.backend for row in self.table(TimingRow, kernel)})
