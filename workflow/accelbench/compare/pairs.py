"""Cases that two runs have in common, each with the ratio of its times and a verdict.

The repetitions of two runs are not paired, so Welch's confidence intervals are used, over the logarithms of times. The
intervals include the variance between runs. This variance is estimated from cases with the same programs, libraries and
settings in both runs. If there are fewer than FEWEST such cases, the earlier estimate for the machine is used.

A case has no verdict if the two runs measured it on different instances (computers) of one kind of machine. If the runs
share some instances, the comparison uses only the shared instances. A case also has no verdict if the two runs measured
it by different versions of the protocol.

There are two kinds of ratios. *Plain* ratios compare the times themselves. *Relative* ratios compare times divided by
the baseline's time in the same repetition. The division removes changes of the machine's speed between the runs.
docs/method.md explains why only relative ratios are reliable on virtual machines.
"""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from types import SimpleNamespace

from accelbench.analysis import gathering, samples, verdicts
from accelbench.analysis.cases import Case, parameter_id
from accelbench.analysis.priors import FEWEST, HOST, RunSpread
from accelbench.analysis.scatter import Scatter, spread_seen
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.results import Results
from accelbench.statistics import geometric_mean

PLAIN, RELATIVE = "plain", "relative"
PEAK = "peak_"
NO_VERDICT = "none"
COUNTED = (*verdicts.VERDICTS, NO_VERDICT)
IMPLAUSIBLE = "implausible: faster than the machine's peaks allow"
ANOTHER = "no verdict: measured on different machines of the same kind"
OLD = "no verdict: measured with different versions of the protocol"
ONE = "no verdict: both runs contain the same measurement"
ONE_PROCESS = "no verdict: measured in one process"
FEW = "no verdict: measured beside its baseline in only one process"


@dataclass(frozen=True)
class Pair:
    """A case in both runs. `compared.ratio` is the speedup of the second run over the first.

    by         kind of the ratio: PLAIN or RELATIVE
    kind       kind of the ratio's times, such as priors.HOST
    protocols  version of the measurement protocol in the first run, and in the second run
    note       reason why the Pair has no verdict; empty if it has a verdict
    """

    first: Case
    second: Case
    by: str = PLAIN
    compared: verdicts.Comparison = field(default_factory=verdicts.Comparison)
    note: str = ""
    kind: str = HOST
    protocols: tuple[int, ...] = (PROTOCOL_VERSION, PROTOCOL_VERSION)

    @property
    def ratio(self):
        """Return the ratio as a sort key: 0 if it is unknown."""
        return self.compared.ratio or 0.0

    @property
    def verdict(self):
        """Return the verdict, one of COUNTED."""
        return self.compared.verdict or NO_VERDICT

    @property
    def implausible(self):
        return self.first.implausible or self.second.implausible

    @property
    def label(self):
        """Return a readable name of the case without its kernel: implementation, dtype, size, options, parameters."""
        record = self.first.record
        words = [record.implementation, record.dtype, str(record.size)]
        words += [f"{name}={value}" for name, value in sorted(record.options.items())]
        return " ".join([*words, parameter_id(self.first).replace("/", " ")])

    @cached_property
    def is_one(self):
        """Return whether both cases are the same measurement."""
        one, other = self.first.record, self.second.record
        return one.repetitions == other.repetitions and one.timings == other.timings

    @cached_property
    def instances(self) -> tuple[set[str], set[str]]:
        """Return the known instances of the machine on which each of the two cases was measured."""
        return _instances(self.first), _instances(self.second)

    def compare(self, scatter):
        """Return the Comparison of the plain times."""
        first, second = (
            {name: -level for name, level in samples.levels(case.samples("compute")).items()}
            for case in (self.first, self.second)
        )
        compared = scatter.compare_unpaired(*self._on_shared(first, second), self.first.pool("compute", self.second))
        return self._around(compared, self.first.seconds("compute") / self.second.seconds("compute"))

    def compare_beside(self, baseline, scatter):
        """Return the Comparison of the times, each divided by the time of `baseline` in the same repetition."""
        both = (baseline.first, self.first), (baseline.second, self.second)
        first, second = (
            samples.log_ratios(beside.samples("compute"), case.samples("compute")) for beside, case in both
        )
        compared = scatter.compare_unpaired(*self._on_shared(first, second), self.first.pool("compute", baseline.first))
        before, after = (beside.seconds("compute") / case.seconds("compute") for beside, case in both)
        return self._around(compared, after / before)

    def _around(self, compared, ratio):
        """Return the Comparison `compared` with `ratio`, which is computed from the times that pages show.

        The intervals keep their relative widths. If there are several instances, return `compared` unchanged: it uses
        only repetitions on shared instances, but the times that pages show use all repetitions.
        """
        several = len(set.union(*self.instances)) > 1
        return compared if several else compared.around(ratio, self.first.scatter.same_within)

    def _on_shared(self, *both):
        """Return both mappings of repetitions, limited to the instances on which both cases were measured.

        If there are no such instances, return the mappings unchanged.
        """
        shared = set.intersection(*self.instances)
        return [
            {
                name: value
                for name, value in repetitions.items()
                if not shared or case.scatter.instances.get(name) in shared
            }
            for case, repetitions in zip((self.first, self.second), both, strict=True)
        ]

    def with_verdict(self, scatter, relative, baseline):
        """Return the Pair with its ratio and verdict.

        relative  whether times are divided by the times of `baseline`
        baseline  the Pair of the problem's baseline, or None
        """
        if self.is_one:
            return replace(self, compared=verdicts.ITSELF, note=ONE)
        if self.implausible:
            return self._undecided(IMPLAUSIBLE, scatter)
        if not relative:
            compared = self.compare(scatter)
            return replace(
                self,
                compared=compared,
                kind=self.first.pool("compute", self.second),
                note="" if compared.verdict else ONE_PROCESS,
            )
        if baseline is None:
            return self._undecided("no verdict: the baseline was not measured in both runs", scatter)
        if self.first is baseline.first:
            return self._undecided("no verdict: this is the baseline of the other cases", scatter)
        compared = self.compare_beside(baseline, scatter)
        few = min(len(case.samples("compute")) for case in (self.first, self.second)) < 2
        note = "no verdict: not measured beside its baseline" if compared.ratio is None else ONE_PROCESS if few else FEW
        kind = self.first.pool("compute", baseline.first)
        return replace(self, by=RELATIVE, compared=compared, kind=kind, note="" if compared.verdict else note)

    def without_verdict(self, note):
        """Return the Pair without a verdict, with `note` as the reason."""
        return replace(self, compared=self.compared._replace(verdict=None), note=note)

    def _undecided(self, note, scatter):
        return replace(self, compared=self.compare(scatter)._replace(verdict=None), note=note)


def _instances(case):
    known = case.scatter.instances
    return {known[repetition] for repetition in case.samples("compute") if repetition in known}


@dataclass(frozen=True)
class RunComparison:
    """Comparison of two runs.

    names    names of the runs
    results  Results of the runs
    by       kind of the ratios of times on the cores, PLAIN or RELATIVE
    why      reason for choosing this kind
    pairs    Pairs in the order of the tables
    alone    cases that have a time in only one run: `case`, its `run` (0 or 1), and the `reason` why the other run has
             no time. Cases without any time are in neither list
    speed    mean speedup of the baselines in the second run over the first, including the baselines of the kernels that
             measure the machine's peaks; None if the runs share no baseline, or are the same measurements
    scatter  Scatter of the ratios, including the variance between runs
    """

    names: tuple[str, str]
    results: tuple[Results, Results]
    by: str
    why: str
    pairs: list[Pair]
    alone: list[SimpleNamespace]
    speed: float | None
    scatter: Scatter

    @property
    def is_one(self):
        """Return whether all shared cases are the same measurements."""
        return bool(self.pairs) and all(pair.is_one for pair in self.pairs)

    @cached_property
    def decided(self):
        """Return the pairs with a verdict, by their ratio: the largest slowdown first."""
        return sorted((pair for pair in self.pairs if pair.compared.verdict), key=lambda pair: pair.ratio)

    @cached_property
    def called(self):
        """Return the pairs that are FASTER or SLOWER, the largest slowdown first."""
        return [pair for pair in self.decided if pair.verdict in (verdicts.FASTER, verdicts.SLOWER)]

    @property
    def share_called(self):
        """Return the share of FASTER and SLOWER among pairs with a verdict; None if no pair has a verdict.

        If both runs measured the same programs, this share is the rate of false alarms.
        """
        return len(self.called) / len(self.decided) if self.decided else None

    def counts(self):
        """Return [((kernel, backend), {verdict: number of cases})]. The last item is the total, ("all", "")."""
        counted = {}
        for pair in self.pairs:
            record = pair.first.record
            counted.setdefault((record.kernel, record.backend), Counter())[pair.verdict] += 1
        return [*sorted(counted.items()), (("all", ""), sum(counted.values(), Counter()))]


def compare(first, second, *, names=("A", "B"), by=None):
    """Return the RunComparison of two Results.

    by  PLAIN or RELATIVE. If None, this function chooses by the machines of the runs and by `speed`. The ratios of
        times on devices are then PLAIN, since changes of the host's speed do not affect these times

    Kernels that measure the machine's peaks are not among the pairs, but their baselines contribute to `speed`.
    """
    cases = [{case.id: case for case in gathering.gather(results)} for results in (first, second)]
    baselines = _baselines(*cases)
    scatter = _scatter(cases)
    ratios = [pair.compare(scatter).ratio for pair in baselines.values() if not pair.is_one]
    speed = geometric_mean(ratios) if ratios else None
    chosen, why = (by, "as requested") if by else _choose((first, second), speed)
    hosts = first.machine.host_devices | second.machine.host_devices
    one_kind = first.machine.owner.is_like(second.machine.owner)  # if false, the user compares machines
    both, alone = [], []
    for case in sorted({**cases[1], **cases[0]}.values(), key=lambda case: case.order):
        counterparts = [run.get(case.id) for run in cases]
        timed = [counterpart is not None and bool(counterpart.samples("compute")) for counterpart in counterparts]
        if case.record.kernel.startswith(PEAK) or not any(timed):
            continue
        if all(timed):
            both.append(
                Pair(
                    *counterparts,
                    protocols=tuple(
                        run.protocol_version(case.record)
                        for run, case in zip((first, second), counterparts, strict=True)
                    ),
                )
            )
        else:
            run = timed.index(True)
            alone.append(SimpleNamespace(case=counterparts[run], run=run, reason=_absence(counterparts[1 - run])))

    def judge(pair):
        relative = chosen == RELATIVE and (by is not None or pair.first.record.device in hosts)
        judged = pair.with_verdict(scatter, relative, baselines.get(pair.first.problem))
        if pair.protocols[0] != pair.protocols[1]:
            return judged.without_verdict(OLD)
        of_others = all(pair.instances) and not set.intersection(*pair.instances)
        return judged.without_verdict(ANOTHER) if one_kind and of_others else judged

    scatter = _with_spread_seen(scatter, map(judge, both))
    return RunComparison(names, (first, second), chosen, why, list(map(judge, both)), alone, speed, scatter)


def _with_spread_seen(scatter, pairs):
    """Return the Scatter with new estimates of the variance between runs.

    The estimates use cases that have the same key in both runs. If a kind of ratio has fewer than FEWEST such cases,
    its variance stays unchanged.
    """
    unchanged, runs = defaultdict(list), dict(scatter.runs)
    for pair in pairs:
        key = pair.first.record.key  # digest of everything that can change the result
        if pair.compared.verdict and key is not None and key == pair.second.record.key:
            unchanged[pair.kind].append(pair.compared)
    for kind, compared in unchanged.items():
        if len(compared) >= FEWEST:
            runs[kind] = RunSpread(
                spread_seen(compared, scatter.spread(kind).deviation), max(2, scatter.spread(kind).runs)
            )
    return replace(scatter, runs=runs)


def _baselines(first, second):
    """Return {problem: Pair of the case that is the fastest plausible baseline in the first run}.

    Only baselines that have a time in both runs count. Both runs use the same implementation and number of threads. If
    each run used its own fastest baseline, a change of this baseline would change all ratios.
    """
    baselines = {}
    for case in first.values():
        if case.problem not in baselines:
            both = (Pair(baseline, second[baseline.id]) for baseline in case.baselines if baseline.id in second)
            pair = next((pair for pair in both if pair.second.samples("compute") and not pair.implausible), None)
            if pair:
                baselines[case.problem] = pair
    return baselines


def _scatter(cases):
    """Return the Scatter of the run with the larger `same_within`, extended by the instances of both runs.

    If these are equal, use the Scatter with the larger deviation between runs. The result has, for each kind of ratio,
    the larger of both deviations between runs.
    """
    scatters = [next(iter(run_cases.values())).scatter for run_cases in cases if run_cases]
    if not scatters:
        return Scatter()
    runs = {
        kind: max((scatter.spread(kind) for scatter in scatters), key=attrgetter("deviation"))
        for kind in dict.fromkeys(kind for scatter in scatters for kind in scatter.runs)
    }
    instances = {k: v for scatter in scatters for k, v in scatter.instances.items()}
    most = max(scatters, key=lambda scatter: (scatter.same_within, scatter.runs[HOST].deviation))
    return replace(most, runs=runs, instances=instances)


def _choose(results, speed):
    """Return (PLAIN or RELATIVE, reason): the default for the machines of two runs."""
    machines = [run.machine for run in results]
    if not machines[0].owner.is_like(machines[1].owner):
        return RELATIVE, "the runs are of different machines"
    if any(machine.virtualised for machine in machines):
        return RELATIVE, "the speed of a virtual machine changes from minute to minute"
    if speed is not None and abs(math.log(speed)) > math.log1p(verdicts.DIFFERENCE):
        return RELATIVE, "the machine's speed changed between the runs"
    return PLAIN, "the runs are of one machine, whose speed did not change"


def _absence(case):
    """Return as text why a run has no time of a case. `case` is None if the run does not contain the case."""
    if case is None:
        return "not measured"
    record = case.record
    return f"{record.outcome}: {record.reason}" if record.reason else record.outcome
