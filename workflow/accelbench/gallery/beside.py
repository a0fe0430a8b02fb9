"""What machines take for the same problems, by where the data are, with what that costs.

Each machine is taken at its best: of all its implementations, on cores and accelerators, the one that is fastest with
the data where they are, whose time is told of repetitions that had no part in choosing it. Nothing was measured side by
side: two times whose 95 % intervals overlap are not told apart.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accelbench.analysis import Analysis
from accelbench.analysis.cases import PINNED, Case
from accelbench.analysis.choices import Best, accelerating, fastest_machines
from accelbench.config import MachineRequest
from accelbench.gallery.rules import Grade

RESIDENT, LOCKED, PAGEABLE = PLACES = ("resident", "pinned", "pageable")
KINDS = {RESIDENT: "throughput", LOCKED: PINNED, PAGEABLE: "end_to_end"}
CALLS = 1e6  # whose price is told


class SharedProblem(NamedTuple):
    """What machines are given."""

    kernel: str
    options: str
    dtype: str
    size: int


def problem_of(case: Case):
    """The SharedProblem of a case."""
    return SharedProblem(*case.problem)


@dataclass(frozen=True)
class PlacedTime:
    """A machine's best time for a problem with the data in one place."""

    best: Best

    @property
    def seconds(self):
        return self.best.seconds

    @property
    def record(self):
        return self.best.case.record

    @property
    def interval(self):
        """Its 95 % interval; None where it is of one repetition."""
        return self.best.interval


@dataclass(frozen=True)
class LaidMachine:
    """A machine as it is laid beside others: its Analysis, what it costs, the link to its own page and its Grade in a
    collection, if any."""

    analysis: Analysis
    cost: MachineRequest = field(default_factory=MachineRequest)
    link: str | None = None
    grade: Grade | None = None

    @property
    def name(self):
        return self.analysis.machine.name

    @cached_property
    def times(self) -> dict[SharedProblem, dict[str, PlacedTime]]:
        """{problem: {place of the data: PlacedTime}}, as its own page has them, without what is implausible."""
        found = {}
        for place, kind in KINDS.items():
            for best in self.analysis.fastest(kind).values():
                found.setdefault(problem_of(best.case), {})[place] = PlacedTime(best)
        return {problem: own for problem, own in found.items() if len(own) == len(PLACES)}

    @cached_property
    def backends_of_cores(self):
        """The backends that were measured on the machine's own cores."""
        cases = accelerating(self.analysis.cases)
        return {case.record.backend for case in cases if case.ok and not case.on_accelerator}

    def named(self, time: PlacedTime):
        """What took a time, with its device where that is not the machine's cores alone."""
        name, device = time.record.implementation, time.record.device
        return name if device in (None, "cpu") else f"{name} on {self.analysis.short_devices[device]}"

    def energy_j(self, problem):
        """(joules a call with resident data, whose they are), or None: measured of a GPU, else by the machine's
        power."""
        best = self.times[problem][RESIDENT]
        if best.record.energy_j is not None:
            return best.record.energy_j, "of the GPU, measured"
        if self.cost.power_w is None:
            return None
        return self.cost.power_w * best.seconds, f"of the machine, at {self.cost.power_w:g} W"

    def price(self, problem):
        """What CALLS calls cost from host memory and back, page-locked where that helps; None without a price."""
        if self.cost.price_per_hour is None:
            return None
        return self.cost.price_per_hour / 3600 * self.from_host(problem).seconds * CALLS

    def from_host(self, problem):
        """The PlacedTime from host memory and back, whichever kind of memory is faster."""
        return min((self.times[problem][place] for place in (LOCKED, PAGEABLE)), key=lambda time: time.seconds)


def unmeasured(machine, machines):
    """The backends that other machines' cores were measured with, and this one's were not."""
    every = {backend for other in machines for backend in other.backends_of_cores}
    return sorted(every - machine.backends_of_cores)


def shared(machines) -> dict[SharedProblem, list[LaidMachine]]:
    """{problem: the machines that have times for it}, of problems that several have, in the order of tables, the wider
    dtype first; every problem of a machine that is alone."""
    found = {}
    for machine in machines:
        for problem in machine.times:
            found.setdefault(problem, []).append(machine)
    least = min(2, len(machines))
    return {problem: found[problem] for problem in sorted(found, key=_order) if len(found[problem]) >= least}


def _order(problem):
    return problem.kernel, problem.options, -np.dtype(problem.dtype).itemsize, problem.dtype, problem.size


def largest(problems):
    """Of each kernel, options and dtype the problem that most machines have, of several such the largest. What most
    machines have comes first."""
    chosen = {}
    for problem, machines in problems.items():
        key = len(machines), problem.size
        if key > chosen.get(problem[:3], ((0, 0), None))[0]:
            chosen[problem[:3]] = key, problem
    return sorted((problem for _, problem in chosen.values()), key=lambda problem: -len(problems[problem]))


@dataclass(frozen=True)
class MachineRace:
    """A problem's machines with the data in one place, that with the lowest time first."""

    place: str
    ranked: list[tuple[LaidMachine, PlacedTime]]

    @property
    def first(self):
        return self.ranked[0]

    @cached_property
    def fastest(self) -> tuple[str, tuple[str, ...]]:
        """(decision, names of those that may be the fastest), as `fastest_machines` tells."""
        return fastest_machines({machine.name: time.best for machine, time in self.ranked})

    def ratio(self, time):
        """How many times the fastest's a time is."""
        return time.seconds / self.first[1].seconds


def races(problem, machines):
    """The MachineRace from host memory and back, and the one with resident data."""
    times = (
        ("from host memory and back", [(machine, machine.from_host(problem)) for machine in machines]),
        ("data resident", [(machine, machine.times[problem][RESIDENT]) for machine in machines]),
    )
    return [MachineRace(place, sorted(own, key=lambda pair: pair[1].seconds)) for place, own in times]
