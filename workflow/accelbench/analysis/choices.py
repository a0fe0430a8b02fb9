"""Cases at their best parameters, chosen on one half of the rounds and reported from the other (see `verdicts.choose`).

The kernels that measure limits take no part: they are no way of accelerating anything. Choices are made for each of
TIMINGS, and for transfers from and to page-locked memory where a problem was measured with those.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from accelbench.analysis.cases import PINNED, Case, format_parameters
from accelbench.analysis.peaks import is_peak
from accelbench.analysis.verdicts import Choice, Comparison, choose, compare
from accelbench.statistics import geometric_mean

# The kernel alone on resident data; a whole call on resident data as the host sees it; from host arrays to host arrays.
TIMINGS = ("compute", "call", "end_to_end")


@dataclass(frozen=True)
class Best:
    """A case at the best of its parameters, and the choice that it came from."""

    case: Case
    choice: Choice
    kind: str

    @property
    def times(self):
        """The times to report, {repetition: median}."""
        return self.choice.times[self.case]

    @property
    def seconds(self):
        return geometric_mean(self.times.values())

    def speedup(self) -> Comparison:
        """Comparison with the baseline; of the baseline with itself 1, without a verdict."""
        baseline = self.case.baseline
        if baseline is None:
            return Comparison()
        if baseline is self.case:
            return Comparison(1.0, 1.0, 1.0)
        return self.case.believed(compare(baseline.times(self.kind), self.times, self.case.same_within))


def bests(cases: Iterable[Case], kind: str, key: Callable[[Case], Hashable]) -> list[Best]:
    """The Best by a kind of time of each group of cases with one key that has any, in the order of the tables; what is
    implausible is the best only of a group that has nothing else."""
    found = []
    for everything in group_by((case for case in accelerating(cases) if case.times(kind)), key).values():
        group = [case for case in everything if not case.implausible] or everything
        baseline = group[0].baseline
        samples = {case: case.samples(kind) for case in group}
        choice = choose(
            samples,
            baseline and baseline.times(kind),
            same_within=group[0].same_within,
            on_accelerator=on_accelerator(group),
        )
        if choice is not None:
            found.append(Best(choice.best, choice, kind))
    return found


def by_implementation(case: Case):
    return case.problem, case.record.implementation, case.record.device


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
