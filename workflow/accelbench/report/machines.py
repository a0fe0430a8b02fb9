"""reports/index.html: every machine that has a report, and where there are several, which of them is fastest at what.

Times of different machines are compared as they are, each at its best parameters, for nothing was ever measured side by
side; two whose 95 % intervals overlap are not told apart.
"""

import fcntl
from pathlib import Path

import numpy as np

from accelbench.analysis import Analysis
from accelbench.analysis.tables.best import BestRow
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


def best_times(found):
    """{problem: {implementation: row of timings.csv}} of one machine, each implementation at its best, wherever it ran
    fastest; a problem is (kernel, options, dtype, size)."""
    times = {}
    for best in found.table(BestRow):
        if best.implausible:
            continue
        row = found.timings[best.case]
        own = times.setdefault((row.kernel, row.options, row.dtype, row.size), {})
        if row.implementation not in own or row.compute_s < own[row.implementation].compute_s:
            own[row.implementation] = row
    return times


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

    `fastest` are the machines with the lowest time and all that it cannot be told from; empty where something was
    measured in one process only, whose interval describes that process alone.
    """
    kernel, options, dtype, size = problem
    own = {name: found[problem] for name, found in times.items() if problem in found}
    winners = {name: min(rows.values(), key=lambda row: row.compute_s) for name, rows in own.items()}
    ranked = sorted(winners, key=lambda name: winners[name].compute_s)
    known = all(row.repetitions > 1 and row.compute_ci_low_s is not None for row in winners.values())
    first = winners[ranked[0]]
    implementations = sorted({name for rows in own.values() for name in rows})
    shared = [name for name in implementations if sum(name in rows for rows in own.values()) > 1]
    return {
        "kernel": kernel,
        "family": " ".join(filter(None, (dtype, options))),
        "size": size,
        "ranked": [(name, winners[name], winners[name].compute_s / first.compute_s) for name in ranked],
        "fastest": [n for n in ranked if winners[n].compute_ci_low_s <= first.compute_ci_high_s] if known else [],
        "machines": list(own),
        "rows": [(name, [rows.get(name) for rows in own.values()]) for name in shared],
    }
