"""The trend of several runs of one machine, oldest first: which cases changed, and in which run.

The level of a case is the run in which the case last changed, or the first run with this case. `pairs.compare` compares
each later run with the level. If the case is FASTER or SLOWER in a later run, this run becomes the new level. Therefore
each change is reported once. This method also finds gradual losses, which comparisons with the previous run would miss.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from accelbench.analysis.verdicts import FASTER, SLOWER
from accelbench.compare.pairs import Pair, RunComparison, compare
from accelbench.errors import InputError
from accelbench.model.record import case_id
from accelbench.model.results import Results
from accelbench.model.watched import is_peak


class ChangePoint(NamedTuple):
    """A change of a case between its level and a later run.

    run    number of the run in which the case changed, counted from 0
    level  number of the run that was the level of the case before this change
    pair   Pair of the case in these two runs
    """

    run: int
    level: int
    pair: Pair


class Trend(NamedTuple):
    """Trend of several runs.

    comparisons  comparisons of the first run with each later run
    changes      all change points
    judged       number of cases that have a verdict in the newest run
    """

    comparisons: list[RunComparison]
    changes: list[ChangePoint]
    judged: int

    @property
    def rows(self):
        """Return (name, day of the last measurement, {verdict: number of changed cases}) of each run."""
        first, *_ = self.comparisons
        runs = [
            (first.names[0], first.results[0]),
            *((comparison.names[1], comparison.results[1]) for comparison in self.comparisons),
        ]
        counts = Counter((change.run, change.pair.verdict) for change in self.changes)
        return [
            (
                name,
                max((run.started[:10] for _, run in results.runs), default="–"),
                {verdict: counts[number, verdict] for verdict in (FASTER, SLOWER)},
            )
            for number, (name, results) in enumerate(runs)
        ]

    @property
    def slower(self):
        """Return the change points in the newest run whose verdict is SLOWER, the largest slowdown first."""
        changes = [c for c in self.changes if c.run == len(self.comparisons) and c.pair.verdict == SLOWER]
        return sorted(changes, key=lambda change: change.pair.ratio)


def follow(results: list[Results], names, by=None) -> Trend:
    """Return the Trend of runs. `results` has the oldest run first. `by` has the same meaning as in `pairs.compare`.

    Raise InputError if there are more than two runs and their machines differ.
    """
    first, *later = results
    for name, run_results in zip(names[1:], later, strict=True):
        if len(later) > 1 and not run_results.machine.owner.is_like(first.machine.owner):
            problem = f"comes from another machine than {names[0]}: {run_results.machine.owner}"
            raise InputError(name, problem, "Compare machines: python -m accelbench machines")

    @cache
    def compared(level, run, changed=frozenset()):
        both = (_without(results[number], changed) for number in (level, run))
        return compare(*both, names=(names[level], names[run]), by=by)

    levels, changes, judged = dict.fromkeys(_timed(first), 0), [], 0
    for run, case_ids in enumerate(map(_timed, later), 1):
        judged = 0
        for level in sorted({levels[case] for case in case_ids if case in levels}):
            # Cases that changed after this level would increase the estimated variance between runs, so exclude them.
            changed = frozenset(case for case, latest in levels.items() if latest > level)
            pairs = [pair for pair in compared(level, run, changed).pairs if levels.get(pair.first.id) == level]
            changes += [ChangePoint(run, level, pair) for pair in pairs if pair.verdict in (FASTER, SLOWER)]
            judged += sum(pair.compared.verdict is not None for pair in pairs)
        levels = dict.fromkeys(case_ids, run) | levels
        levels |= {change.pair.first.id: run for change in changes if change.run == run}
    return Trend([compared(0, run) for run in range(1, len(results))], changes, judged)


def _without(results, cases):
    """Return Results without `cases`.

    Baselines and peaks (cases that measure the machine's highest rates) stay, since other cases need them.
    """
    baselines = {kernel: metadata.all_baselines for kernel, metadata in results.kernels.items()}
    records = [
        record
        for record in results.records
        if is_peak(record.kernel) or record.implementation in baselines[record.kernel] or case_id(record) not in cases
    ]
    return replace(results, records=records) if cases else results


def _timed(results):
    """Return the names of the cases with a time, in the order of the records."""
    return [case_id(record) for record in results.records if record.outcome == "ok"]
