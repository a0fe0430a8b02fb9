"""The page of all machines: times of the same problems on each machine, with energy and price.

For each place of the data, the page shows the fastest implementation of each machine, with the time that the
machine's index.html shows. Different machines have no repetitions in common, so `choices.fastest_machines` compares
the 95 % intervals of the times.
"""

import fcntl
import os
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from markupsafe import Markup

from accelbench.analysis import Analysis, choices
from accelbench.config import MachineRequest
from accelbench.decide import Answers
from accelbench.decide.answer import PAGE_LOCKED, PAGEABLE, RESIDENT
from accelbench.errors import InputError
from accelbench.figures import canvas, strips, style, svg
from accelbench.figures.chart import Table
from accelbench.pages import page as pages
from accelbench.pages import pictures
from accelbench.report import method
from accelbench.store import files
from accelbench.store.load import load_results, machine_folders

PAGE = "machines.html"
CALLS = 1e6  # Number of calls to which a price refers


@dataclass(frozen=True)
class ComparedMachine:
    """A machine on the page: its name and Analysis, the link to its report, and its configured price and power."""

    name: str
    analysis: Analysis
    link: str | None = None
    cost: MachineRequest = field(default_factory=MachineRequest)

    @cached_property
    def times(self) -> dict[tuple, dict[str, choices.Best]]:
        """Return {(kernel, options, dtype, size): {place of the data: fastest leader}}.

        The leaders are the fastest implementation and those that tie with it. Problems without a leader at one of the
        places are omitted.
        """
        answers = Answers(self.analysis)
        times = {
            (*family.problems, size): {
                place: min(answers.at(family, size, place=place).leaders, key=attrgetter("seconds"), default=None)
                for place in strips.PLACES
            }
            for family, sizes in answers.sizes.items()
            for size in sizes
        }
        return {problem: bests for problem, bests in times.items() if all(bests.values())}

    @cached_property
    def core_backends(self):
        """Return the backends that were measured on the machine's cores."""
        return {
            case.record.backend
            for case in choices.accelerating(self.analysis.cases)
            if case.ok and not case.on_accelerator
        }

    def label(self, best: choices.Best):
        """Return the name of a Best's implementation, with its device unless the device is the machine's cores."""
        name, device = best.case.record.implementation, best.case.record.device
        return name if device in (None, "cpu") else f"{name} on {self.analysis.short_devices[device]}"

    def energy_j(self, problem):
        """Return (joules per call on resident data, source); None if unknown.

        If the energy of the GPU was measured, return this energy. Otherwise, return the machine's configured power
        times the seconds of a call.
        """
        best = self.times[problem][RESIDENT]
        if best.case.record.energy_j is not None:
            return best.case.record.energy_j, "of the GPU, measured"
        if self.cost.power_w is None:
            return None
        return self.cost.power_w * best.seconds, f"of the machine, at {self.cost.power_w:g} W"

    def price(self, problem):
        """Return the price of CALLS calls with data in host memory; None if no price per hour is configured."""
        if self.cost.price_per_hour is None:
            return None
        return self.cost.price_per_hour / 3600 * self.from_host(problem).seconds * CALLS

    def from_host(self, problem) -> choices.Best:
        """Return the Best with data in host memory, either page-locked or ordinary, whichever is faster."""
        return min((self.times[problem][place] for place in (PAGE_LOCKED, PAGEABLE)), key=lambda best: best.seconds)


def load(folders, costs, target) -> list[ComparedMachine]:
    """Return the ComparedMachines of results folders, with links relative to the page `target`.

    `costs` is {machine: MachineRequest}. Raise InputError if two folders have the same name, or if a folder cannot be
    read.
    """
    homes, machines = {}, []
    for folder in sorted(map(Path, folders), key=_name):
        name = _name(folder)
        if (other := homes.setdefault(name, folder)) != folder:
            raise InputError(folder, f"has the same name as {other}", "Rename one of the two folders")
        machines.append(_machine(folder, Analysis(load_results(folder)), costs=costs, target=target))
    return machines


def _machine(folder, analysis, *, costs, target):
    beside = Path(target).parent
    reports = [page for page in (folder / "index.html", beside / folder.name / "index.html") if page.is_file()]
    link = Path(os.path.relpath(reports[0], beside)).as_posix() if reports else None
    return ComparedMachine(_name(folder), analysis, link, costs.get(_name(folder), MachineRequest()))


def _name(folder):
    return folder.absolute().name


def write_all(results_root, reports_root, *, costs, known=()):
    """Write the page of all machines in `results_root` that have a report. Return the path of the page.

    `known` is {machine: Analysis}; other results are read from files. If results of a machine cannot be read, the page
    shows the reason and the other machines.
    """
    target, known = Path(reports_root) / PAGE, dict(known)
    with (target.parent / ".machines.lock").open("w") as lock:
        # Reports of several machines may be rendered at the same time. The last to get the lock sees all reports.
        fcntl.lockf(lock, fcntl.LOCK_EX)
        machines, damaged = [], {}
        for folder in machine_folders(results_root):
            if (target.parent / folder.name / "index.html").is_file():
                try:
                    analysis = known.get(folder.name) or Analysis(load_results(folder))
                    machines.append(_machine(folder, analysis, costs=costs, target=target))
                except InputError as error:
                    damaged[folder.name] = str(error)
        files.write(target, render(machines, damaged))
    return target


def render(machines, damaged=()):
    """Return the HTML of the page; `damaged` is {machine: reason why its results cannot be read}."""
    problems = shared(machines)
    first = largest(problems)
    canvas.use_style()
    plots = list(_plots(problems, [machine.name for machine in machines]))
    return pages.render(
        "accelbench.report",
        "machines.html.jinja",
        {"price": price, "joules": style.joules, "measured_on": method.measured_on},
        machines=machines,
        damaged=dict(damaged),
        unmeasured=unmeasured(machines),
        looks={machine.name: style.machine_look(number) for number, machine in enumerate(machines)},
        variables=style.theme_variables(),
        signs=style.MARKERS,
        answers=[(problem, races(problem, problems[problem])) for problem in first],
        smaller=[(problem, races(problem, rivals)) for problem, rivals in problems.items() if problem not in first],
        problems=problems,
        plots=[(plot, Markup(svg.inline(canvas.drawn(plot.chart), plot.name, plot.points))) for plot in plots],
        priced=any(machine.cost.price_per_hour for machine in machines),
        calls=f"{CALLS:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        places=strips.PLACES,
    )


def unmeasured(machines):
    """Return {machine: backends that were measured on cores of other machines, but not on this machine's cores}."""
    every = {backend for machine in machines for backend in machine.core_backends}
    return {machine.name: sorted(every - machine.core_backends) for machine in machines}


def shared(machines) -> dict[tuple, list[ComparedMachine]]:
    """Return {problem: machines with times} for problems with times on several machines.

    Problems are sorted by kernel, options, dtype (the widest first) and size.
    """
    machines_by_problem = {}
    for machine in machines if len(machines) > 1 else ():
        for problem in machine.times:
            machines_by_problem.setdefault(problem, []).append(machine)
    return {
        problem: machines_by_problem[problem]
        for problem in sorted(machines_by_problem, key=lambda p: (*p[:2], -np.dtype(p[2]).itemsize, *p[2:]))
        if len(machines_by_problem[problem]) > 1
    }


def largest(problems):
    """Return one problem for each combination of kernel, options and dtype.

    Choose the problem with the most machines. If several problems have equally many machines, choose the largest. Sort
    the chosen problems by their number of machines, the most first.
    """
    ranked = sorted(problems, key=lambda problem: (len(problems[problem]), problem[3]))
    chosen = dict.fromkeys(problem[:3] for problem in problems) | {problem[:3]: problem for problem in ranked}
    return sorted(chosen.values(), key=lambda problem: -len(problems[problem]))


def races(problem, machines):
    """Return two comparisons of machines for a problem: with data in host memory, and with resident data.

    Each comparison has these attributes:

    place     place of the data
    ranked    list of (machine, Best), the fastest first
    decision  decision from `choices.fastest_machines`
    fastest   fastest machines from `choices.fastest_machines`
    """
    places = {
        "from host memory and back": [(machine, machine.from_host(problem)) for machine in machines],
        "data resident": [(machine, machine.times[problem][RESIDENT]) for machine in machines],
    }
    comparisons = []
    for place, bests in places.items():
        ranked = sorted(bests, key=lambda pair: pair[1].seconds)
        decision, fastest = choices.fastest_machines({machine.name: best for machine, best in ranked})
        comparisons.append(SimpleNamespace(place=place, ranked=ranked, decision=decision, fastest=fastest))
    return comparisons


def price(value):
    """Format a price in the currency of the configuration."""
    return "–" if value is None else style.significant(value)


def _plots(problems, names):
    """Yield one Plot for each group of problems that differ only in size, with the largest size on top."""
    for (kernel, options, dtype), group in groupby(problems, key=lambda problem: problem[:3]):
        shown = [(problem[3], machine, problem) for problem in reversed(list(group)) for machine in problems[problem]]
        rows, numbers = [], []
        for size, machine, problem in shown:
            times = machine.times[problem]
            labels = {place: best.case.record.implementation for place, best in times.items()}
            look, seconds = style.machine_look(names.index(machine.name)), {p: b.seconds for p, b in times.items()}
            dots = strips.by_place(seconds, labels, color=look.color, marker=look.marker)
            rows.append((f"{machine.name}  {style.size(size)}", dots))
            numbers.append(
                [style.size(size), machine.name, *(f"{style.seconds(seconds[p])} {labels[p]}" for p in labels)]
            )
        table = Table(["size", "machine", *strips.PLACES], numbers)
        chart = strips.Strip(rows, "time per call", "s", table, strips.OF_PLACES)
        title = " ".join(filter(None, (kernel, dtype, options)))
        largest_size = [f"{name}: {', '.join(times)}." for size, name, *times in numbers if size == numbers[0][0]]
        yield pictures.Plot(
            style.slug(title), chart, title, f"Time per call, by place of the data. {' '.join(largest_size)}"
        )
