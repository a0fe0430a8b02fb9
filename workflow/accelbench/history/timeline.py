"""Runs of one machine in the order of time, and where a case changed.

A case has a *level*: the run that it last changed in, at first the first that has it. Each later run is compared with
the case's level by `compare`, and where that says FASTER or SLOWER the run is a change point, and the level from then
on. So what is lost little by little is found, too, which comparing each run with the one before would let pass.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from accelbench.analysis.verdicts import FASTER, SLOWER
from accelbench.compare.pairs import Pair, RunComparison, compare
from accelbench.errors import InputError
from accelbench.model.record import case_id
from accelbench.model.results import Results
from accelbench.model.watched import is_peak

NEVER = datetime.min.replace(tzinfo=UTC)  # of results that do not tell when they were measured


@dataclass(frozen=True)
class DatedRun:
    """A run: what it is called, and its Results."""

    name: str
    results: Results

    @cached_property
    def begin(self) -> datetime:
        """When its last measuring started."""
        return max((run.begin for _, run in self.results.runs), default=NEVER)

    @property
    def day(self):
        """The date, the run's name where that is not known."""
        return self.name if self.begin == NEVER else f"{self.begin:%Y-%m-%d}"

    @property
    def minute(self):
        return f"{self.day} {self.begin:%H:%M}"


@dataclass(frozen=True)
class ChangePoint:
    """A case that changed: in which of the runs, since which, and the Pair that says by how much."""

    run: int
    since: int
    pair: Pair

    @property
    def group(self):
        return group_of(self.pair)


@dataclass(frozen=True)
class Timeline:
    """The runs, oldest first; every ChangePoint; {run: the comparison of the first with it}; and how many cases of the
    newest have a verdict."""

    runs: list[DatedRun]
    changes: list[ChangePoint] = field(default_factory=list)
    against_first: dict[int, RunComparison] = field(default_factory=dict)
    judged: int = 0

    @property
    def newest(self):
        return len(self.runs) - 1

    @cached_property
    def days(self):
        """When each run was measured: the date, with the time where several are of one."""
        shared = Counter(run.day for run in self.runs)
        return [run.day if shared[run.day] == 1 or run.begin == NEVER else run.minute for run in self.runs]

    @cached_property
    def labels(self):
        """What a figure calls each run: its day, or its name where several are of one minute."""
        shared = Counter(self.days)
        return [day if shared[day] == 1 else run.name for run, day in zip(self.runs, self.days, strict=True)]

    @cached_property
    def slower(self):
        """The changes of the newest run for the worse, the worst first."""
        return sorted(
            (c for c in self.changes if c.run == self.newest and c.pair.verdict == SLOWER), key=lambda c: c.pair.ratio
        )

    @cached_property
    def by_group(self):
        """{(kernel, backend): {run: [ChangePoint]}}."""
        found = defaultdict(lambda: defaultdict(list))
        for change in self.changes:
            found[change.group][change.run].append(change)
        return found

    @cached_property
    def ratios(self):
        """{(kernel, backend): {run: how many times as fast as in the first run each of its cases is}}."""
        found = defaultdict(dict)
        for run, compared in self.against_first.items():
            for pair in compared.decided:
                found[group_of(pair)].setdefault(run, []).append(pair.ratio)
        return dict(sorted(found.items()))


def group_of(pair):
    """(kernel, backend) of a Pair."""
    return pair.first.record.kernel, pair.first.record.backend


def in_order(runs):
    """The DatedRuns from the oldest on, those of one time as they were given; InputError where there are fewer than two
    or they are of several machines."""
    if len(runs) < 2:
        raise InputError("history", "one run has no history", "Name results folders of two dates or versions, or more")
    first = runs[0]
    for run in runs[1:]:
        if not run.results.machine.owner.may_be(first.results.machine.owner):
            problem = f"is of another machine than {first.name}: {run.results.machine.owner}"
            raise InputError(run.name, problem, "Machines beside each other: python -m accelbench machines")
    return sorted(runs, key=lambda run: run.begin)


def follow(runs, by=None) -> Timeline:
    """The Timeline of DatedRuns in their order; `by` as `compare` has it."""

    def compared(first, second, cases=None):
        names = runs[first].name, runs[second].name
        both = (_only(runs[number].results, cases) for number in (first, second))
        return compare(*both, names=names, by=by)

    levels, changes, judged = dict.fromkeys(_timed(runs[0].results), 0), [], 0
    for number in range(1, len(runs)):
        own, judged = _timed(runs[number].results), 0
        for since in sorted({levels[case] for case in own if case in levels}):
            # Without what is known to have changed since: all others tell how far these two runs differ.
            cases = {case for case in own if levels.get(case, number) <= since}
            pairs = [pair for pair in compared(since, number, cases).pairs if levels.get(pair.first.id) == since]
            changes += [ChangePoint(number, since, pair) for pair in pairs if pair.verdict in (FASTER, SLOWER)]
            judged += sum(pair.compared.verdict is not None for pair in pairs)
        levels = dict.fromkeys(own, number) | levels
        levels |= {change.pair.first.id: number for change in changes if change.run == number}
    against_first = {number: compared(0, number) for number in range(1, len(runs))}
    return Timeline(runs, changes, against_first, judged)


def _only(results, cases):
    """The Results of these cases, and of baselines and the machine's peaks, which others are held against."""
    if cases is None:
        return results
    baselines = {kernel: metadata.all_baselines for kernel, metadata in results.kernels.items()}
    kept = [
        record
        for record in results.records
        if is_peak(record.kernel) or record.implementation in baselines[record.kernel] or case_id(record) in cases
    ]
    return replace(results, records=kept)


def _timed(results):
    """Names of the cases with a time, in the order of the records."""
    return [case_id(record) for record in results.records if record.outcome == "ok"]
