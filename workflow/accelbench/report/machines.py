"""reports/index.html: every machine that has a report, and where there are several, which of them is fastest at what.

Times of different machines are compared as they are, each at its best parameters, for nothing was ever measured side by
side; who is fastest is told by the 95 % intervals of both, see `choices.fastest_machines`.
"""

import fcntl
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accelbench.analysis import Analysis
from accelbench.analysis.choices import Best, by_implementation, fastest_machines
from accelbench.errors import InputError
from accelbench.pages import page as pages
from accelbench.report import method
from accelbench.store import files
from accelbench.store.load import load_results, machine_folders


def write(results_root, reports_root, known):
    """Write reports_root/index.html from every results_root/<machine>/ that has a report; the path of it.

    known  {machine: Analysis} of those that were made already

    A machine whose results cannot be read is named with the reason, and keeps none of the others from being shown.
    """
    reports_root = Path(reports_root)
    index = reports_root / "index.html"
    with (reports_root / ".index.lock").open("w") as lock:
        # Reports of several machines may be rendered at once: whoever is last has seen all of them.
        fcntl.lockf(lock, fcntl.LOCK_EX)
        machines, damaged = {}, {}
        for folder in machine_folders(results_root):
            if (reports_root / folder.name / "index.html").is_file():
                try:
                    machines[folder.name] = known.get(folder.name) or Analysis(load_results(folder))
                except InputError as error:
                    damaged[folder.name] = str(error)
        files.write(index, render(machines, damaged))
    return index


def render(machines, damaged):
    """The HTML of the page, from {machine: Analysis} and {machine: why its results cannot be read}."""
    times = {name: best_times(found) for name, found in machines.items()}
    return pages.render(
        "accelbench.report",
        "machines.html.jinja",
        machines=[(name, one.machine, method.measured_on(one), len(one.kernels)) for name, one in machines.items()],
        damaged=damaged,
        races=[race(problem, times) for problem in shared_problems(times)],
    )  # fmt: skip


class MachineTimes(NamedTuple):
    """What a machine takes for a problem: the Best of each implementation, wherever it ran fastest, and the fastest of
    all, told of repetitions that had no part in choosing it."""

    by_name: dict[str, Best]
    fastest: Best


def best_times(found):
    """{problem: MachineTimes} of one machine; a problem is (kernel, options, dtype, size)."""
    times = {}
    for best in sorted(found.bests("compute", by_implementation), key=lambda best: -best.seconds):
        if not best.case.implausible:
            times.setdefault(best.case.problem, {})[best.case.record.implementation] = best
    fastest = found.fastest("compute")
    return {problem: MachineTimes(own, fastest[problem]) for problem, own in times.items()}


def shared_problems(times):
    """Of each kernel and its options, in each dtype, the problem that most machines have a time for, of several such
    the one of the largest size; the wider dtype first."""
    chosen = {}
    for problem in [problem for own in times.values() for problem in own]:
        *family, size = problem
        key = sum(problem in own for own in times.values()), size
        if key[0] > 1 and key > chosen.get(tuple(family), ((0, 0), None))[0]:
            chosen[tuple(family)] = key, problem
    return sorted((problem for _, problem in chosen.values()), key=_order)


def _order(problem):
    kernel, options, dtype, _ = problem
    return kernel, options, -np.dtype(dtype).itemsize, dtype


def race(problem, times):
    """What the machines took for one problem: each with its fastest implementation, and implementation by
    implementation.

    `decision` and `fastest`: as `fastest_machines` tells.
    """
    kernel, options, dtype, size = problem
    own = {name: found[problem] for name, found in times.items() if problem in found}
    winners = {name: times.fastest for name, times in own.items()}
    ranked = sorted(winners, key=lambda name: winners[name].seconds)
    first = winners[ranked[0]]
    decision, fastest = fastest_machines({name: winners[name] for name in ranked})
    implementations = sorted({name for times in own.values() for name in times.by_name})
    shared = [name for name in implementations if sum(name in times.by_name for times in own.values()) > 1]
    return {
        "kernel": kernel,
        "family": " ".join(filter(None, (dtype, options))),
        "size": size,
        "ranked": [(name, winners[name], winners[name].seconds / first.seconds) for name in ranked],
        "decision": decision,
        "fastest": fastest,
        "machines": list(own),
        "rows": [(name, [times.by_name.get(name) for times in own.values()]) for name in shared],
    }
