"""Cases at their best parameters, chosen and reported by different repetitions (see `choosing`).

The kernels that measure limits take no part: they are no way of accelerating anything. Choices are made for each of
TIMINGS, and for transfers from and to page-locked memory where a problem was measured with those.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

from accelbench.analysis.cases import PINNED, Case, format_parameters
from accelbench.analysis.choosing import Choice, choose
from accelbench.analysis.samples import Samples, told
from accelbench.analysis.verdicts import SAME, Comparison, judge, tied
from accelbench.model.watched import is_peak
from accelbench.statistics import geometric_mean, median, single_interval, student_interval

# The kernel alone on resident data; a whole call on resident data as the host sees it; from host arrays to host arrays.
TIMINGS = ("compute", "call", "end_to_end")


@dataclass(frozen=True)
class Best:
    """A case at the best of its parameters, and the choice that it came from, among `candidates`."""

    case: Case
    choice: Choice
    kind: str
    candidates: int

    @property
    def samples(self) -> Samples:
        """What is reported: of each repetition the samples of what the others chose."""
        return self.choice.samples

    @property
    def seconds(self):
        return seconds(self.samples)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `seconds`; None of one repetition, which would describe that one alone."""
        return interval(self.samples) if len(self.samples) > 1 else None

    def speedup(self) -> Comparison:
        """Comparison with the baseline; of the baseline with itself 1, without a verdict."""
        return self.case.speedup(self.kind, self.samples)

    def apart(self, other: "Best") -> str | None:
        """The verdict on how many times as fast it is as the Best of another machine, of which nothing was sampled side
        by side: by the intervals of both. None where either has none."""
        if self.interval is None or other.interval is None:
            return None
        half = math.hypot(*(math.log(high / low) / 2 for low, high in (self.interval, other.interval)))
        within = max(best.case.scatter.same_within for best in (self, other))
        return judge(math.log(other.seconds / self.seconds), half, half_next=half, same_within=within).verdict


WINNER, TIE, UNKNOWN, ONE_PROCESS = "winner", "tie", "unknown", "one_process"


def fastest_machines(times: Mapping[str, Best]) -> tuple[str, tuple[str, ...]]:
    """(decision, the machines that may be the fastest), from {machine: its Best}, fastest first.

    WINNER where one is; TIE where all of them are the SAME; UNKNOWN where their intervals are too wide to tell;
    ONE_PROCESS, of the one with the lowest time, where one has no interval.
    """
    first, *others = times
    verdicts: dict[Hashable, str | None] = {name: times[first].apart(times[name]) for name in others}
    if None in verdicts.values():
        return ONE_PROCESS, (first,)
    rivals, _ = tied(verdicts)
    same = all(verdicts[name] == SAME for name in rivals)
    return (TIE if same else UNKNOWN) if rivals else WINNER, (first, *rivals)


def seconds(samples: Samples) -> float:
    """The time that samples stand for: the geometric mean over repetitions of their medians."""
    return geometric_mean([median(rounds.values()) for rounds in samples.values()])


def interval(samples: Samples) -> tuple[float, float]:
    """The 95 % interval of the time that samples stand for, by how it scatters over repetitions."""
    if len(samples) == 1:
        return single_interval([s for rounds in samples.values() for s in rounds.values()])
    return student_interval(told(lambda rounds: math.log(median(rounds.values())), samples).values())


def bests(cases: Iterable[Case], kind: str, key: Callable[[Case], Hashable]) -> list[Best]:
    """The Best by a kind of time of each group of cases with one key that has any, in the order of the tables; what is
    implausible is the best only of a group that has nothing else."""
    found = []
    for everything in group_by((case for case in accelerating(cases) if case.samples(kind)), key).values():
        group = [case for case in everything if not case.implausible] or everything
        choice = best_of(group, kind)
        found.append(Best(choice.best, choice, kind, len(group)))
    return found


def best_of(cases: Iterable[Case], kind: str) -> Choice:
    """The Choice among cases, at least one, all of which have this kind of time."""
    candidates = {case: case.samples(kind) for case in cases}
    baseline = baseline_of(candidates, kind)

    def verdict(case, best, reported):
        return case.scatter.between(candidates[case], reported, baseline, kind=best.pool(kind, case)).verdict

    choice = choose(candidates, verdict, baseline=baseline, devices=on_accelerator(candidates))
    assert choice is not None
    return choice


def held_out(best: Best, cases: Iterable[Case]) -> Best:
    """A Best that is the fastest of several among `cases`, with what is reported of it then: nothing of a repetition
    that helped to choose it among all that are plausible."""
    candidates = {case: case.samples(best.kind) for case in cases if not case.implausible}
    baseline = baseline_of([best.case], best.kind)
    choice = choose(candidates, baseline=baseline, devices=on_accelerator(candidates))
    return replace(best, choice=choice) if choice else best


def baseline_of(cases: Iterable[Case], kind: str) -> Samples | None:
    """The samples of what cases of one problem are compared with."""
    baseline = next(iter(cases)).baseline
    return baseline and baseline.samples(kind)


def by_implementation(case: Case):
    return case.problem, case.record.implementation, case.record.device


def by_backend(case: Case):
    return case.problem, case.record.backend, case.record.device


def by_threads(case: Case):
    return *by_implementation(case), case.record.threads


def by_all_but_block(case: Case):
    """All that says which case it is but the block size."""
    return *by_threads(case), sweeps_blocks(case), format_parameters(case.record)


def sweeps_blocks(case: Case) -> bool:
    return "block_size" in case.record.parameters


def accelerating(cases: Iterable[Case]) -> list[Case]:
    """The cases of kernels that accelerate something."""
    return [case for case in cases if not is_peak(case.record.kernel)]


def measured_pinned(cases: Iterable[Case]):
    """The problems some case of which was timed with transfers from and to page-locked memory."""
    return {case.problem for case in accelerating(cases) if case.ok and PINNED in case.record.timings}


def on_accelerator(cases: Iterable[Case]) -> set[Case]:
    """Those that do not run on the cores that baselines run on."""
    return {case for case in cases if case.on_accelerator}


def group_by(items, key):
    """{key: items} in the order of their first."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
