"""Who wins at each size, and from which size each implementation is faster than NumPy."""

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from accelbench.analysis import Analysis
from accelbench.analysis.analysis import Family
from accelbench.analysis.cases import PINNED
from accelbench.analysis.tables.crossover import CrossoverRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.analysis.tables.winners import WinnerRow

TRANSFERS = {"end_to_end": "end to end", PINNED: "pinned"}


@dataclass(frozen=True)
class SizeWinner:
    """Who is fastest at one size: on resident data, and from host array to host array by each of TRANSFERS.

    devices  short names of the devices that the winner, or all of a tie, ran on; [] where there is no choice
    """

    row: WinnerRow
    transfers: dict[str, WinnerRow]
    devices: list[str]

    @property
    def others(self):
        """(what is timed, names, speedup) where who wins from end to end is another; once where both agree."""
        others = []
        for timing, words in TRANSFERS.items():
            row = self.transfers.get(timing)
            names = row.names if row else []
            if [names] == [other for _, other, _ in others]:
                others = [("end to end, pinned or not", names, row.speedup)]
            elif names and set(names) != set(self.row.names):
                others.append((words, names, row.speedup))
        return others


@dataclass(frozen=True)
class Race:
    """The winners of one family at each of its sizes, the smallest first."""

    family: Family
    sizes: list[SizeWinner]
    backends: dict[str, str]


@dataclass(frozen=True)
class Paying:
    """From which size an implementation pays, by kind of time, at its most threads; `device` where it has several."""

    implementation: str
    device: str | None
    timings: dict[str, CrossoverRow]

    @property
    def compute(self):
        return self.timings["compute"]


@dataclass(frozen=True)
class PayingTable:
    """A family's implementations but its baselines, those that pay at smaller sizes first."""

    family: Family
    rows: list[Paying]
    backends: dict[str, str]

    @cached_property
    def timings(self):
        pinned = any(PINNED in row.timings for row in self.rows)
        return ["compute", "end_to_end", *([PINNED] if pinned else [])]


def races(analysis: Analysis) -> list[Race]:
    """The Races of every family that has winners to tell."""
    found = []
    for kernel in analysis.kernels:
        backends = analysis.backends(kernel)
        for family in analysis.families(kernel):
            rows = analysis.table(WinnerRow, kernel, dtype=family.dtype, options=family.options)
            by_timing = {(row.size, row.timing): row for row in rows}
            sizes = [
                SizeWinner(
                    row,
                    {timing: by_timing[row.size, timing] for timing in TRANSFERS if (row.size, timing) in by_timing},
                    _devices(analysis, row),
                )
                for row in rows
                if row.timing == "compute"
            ]
            if sizes:
                found.append(Race(family, sizes, backends))
    return found


def _devices(analysis, row):
    if not analysis.gpus:
        return []
    cases = (row.tie_cases or row.case or "").split(" ")
    devices = (analysis.timings[case].device for case in cases if case in analysis.timings)
    return list(dict.fromkeys(analysis.short_devices[device] for device in devices))


def faster_numpy(analysis: Analysis, kernel: str, **problem) -> list[TimingRow]:
    """The NumPy implementations that no baseline is chosen among and that are FASTER than it anywhere, or at one
    problem: of each the row with the largest speedup, the fastest of them first."""
    rows = analysis.table(TimingRow, kernel, backend="numpy", verdict="FASTER", **problem)
    best = {}
    for row in sorted(rows, key=lambda row: row.speedup, reverse=True):
        if row.implementation not in analysis.kernels[kernel].all_baselines:
            best.setdefault(row.implementation, row)
    return list(best.values())


def paying(analysis: Analysis, kernel: str) -> list[PayingTable]:
    """A PayingTable for each of a kernel's families that has any implementation but its baselines."""
    tables = ((family, _paying(analysis, family)) for family in analysis.families(kernel))
    return [PayingTable(family, rows, analysis.backends(kernel)) for family, rows in tables if rows]


def _paying(analysis, family):
    groups, devices = defaultdict(dict), defaultdict(set)
    for row in analysis.table(CrossoverRow, family.kernel, dtype=family.dtype, options=family.options):
        groups[row.implementation, row.device].setdefault(row.threads or 0, {})[row.timing] = row
        devices[row.implementation].add(row.device)
    rows = [
        Paying(implementation, device if len(devices[implementation]) > 1 else None, by_threads[max(by_threads)])
        for (implementation, device), by_threads in groups.items()
    ]
    return sorted(rows, key=lambda row: (row.compute.faster_from_size or math.inf, row.implementation))
