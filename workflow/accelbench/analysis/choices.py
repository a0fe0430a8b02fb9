"""Best case of each group of cases, such as the best parameters of each implementation.

The module `choosing` explains how the best case is chosen. Kernels that measure the machine's peaks are excluded.
The tables `winners` and `crossover` use the best cases by each kind of time in TIMINGS. Some problems were measured
with transfers from and to page-locked memory. For these problems, both tables also use the time with these transfers.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from accelbench.analysis.cases import PINNED, Case, Kind, format_parameters, seconds_of
from accelbench.analysis.choosing import ONE_PROCESS, TIE, UNKNOWN, WINNER, Best, choose
from accelbench.analysis.samples import Samples
from accelbench.analysis.verdicts import FASTER, SAME, Comparison, tied
from accelbench.model.watched import is_peak

# Kinds of time: the kernel alone on resident data, a whole call on resident data, a call with transfers of its arrays
TIMINGS = ("compute", "call", "end_to_end")


def fastest_machines(times: Mapping[str, Best]) -> tuple[str, tuple[str, ...]]:
    """Return (decision, machines that may be the fastest).

    The decision is WINNER if only one machine may be the fastest. Otherwise, it is TIE if the first machine's verdicts
    against all other returned machines are SAME, and UNKNOWN if not. If a machine has no interval, the decision is
    ONE_PROCESS, and only the machine with the lowest time is returned.

    times  {machine: its Best}, the lowest time first
    """
    first, *others = times
    verdicts: dict[Hashable, str | None] = {name: times[first].verdict_against(times[name]) for name in others}
    if None in verdicts.values():
        return ONE_PROCESS, (first,)
    rivals, _ = tied(verdicts)
    same = all(verdicts[name] == SAME for name in rivals)
    return (TIE if same else UNKNOWN) if rivals else WINNER, (first, *rivals)


def bests(cases: Iterable[Case], kind: Kind, key: Callable[[Case], Hashable]) -> list[Best]:
    """Group cases by `key`, and return the Best of each group by a kind of time, in the order of the tables.

    Groups without this kind of time are omitted. An implausible case can be the Best only if all cases of its group are
    implausible.
    """
    groups = group_by((case for case in accelerating(cases) if case.samples(kind)), key).values()
    plausible = ([case for case in group if not case.implausible] or group for group in groups)
    return [rivals[0].alone(kind) if len(rivals) == 1 else best_of(rivals, kind) for rivals in plausible]


def best_of(cases: Iterable[Case], kind: Kind, *, ties: bool = True) -> Best:
    """Return the Best of one or more cases. All cases must have this kind of time.

    ties  whether to find the cases that tie with the Best
    """
    candidates = {case: case.samples(kind) for case in cases}
    baseline = baseline_of(candidates, kind)

    def beside(case, best, samples):
        compared = case.scatter.between(candidates[case], samples, baseline, kind=best.pool(kind, case))
        return compared.around(case.seconds(kind) / best.seconds(kind), case.scatter.same_within)

    best = choose(
        candidates, beside if ties else None, kind=kind, times={case: case.levels(kind) for case in candidates}
    )
    assert best is not None
    return replace(best, beside=seconds_of(best.chosen, kind))


def fastest(bests: Iterable[Best], cases: Iterable[Case], base: bool = False) -> Best | None:
    """Return the plausible Best with the lowest time, together with its ties; None if no Best is plausible.

    Three disadvantages outweigh a lower time, in this order: having left the race, a single repetition, and no
    repetition shared with the baseline. A single repetition is a disadvantage only if a Best other than the baselines
    has several repetitions. Baselines do not count, since they are measured again whenever a case is added.

    Each repetition reports the samples of the plausible case that the other repetitions choose among `cases`.

    bests  Bests of one problem
    cases  cases of the same problem
    base   whether to report only samples of cases that the base ranking includes (Case.is_like)
    """
    plausible = sorted((best for best in bests if not best.case.implausible), key=lambda best: best.seconds)
    if not plausible:
        return None
    baseline = baseline_of([plausible[0].case], plausible[0].kind) or {}
    beside = {b: not baseline or bool(baseline.keys() & b.samples.keys()) for b in plausible}
    repeated = any(len(b.samples) > 1 for b in [b for b in plausible if not b.case.is_baseline] or plausible)
    best = min(
        plausible, key=lambda b: (b.case.record.left is not None, repeated and len(b.samples) < 2, not beside[b])
    )
    several = (repeated and len(best.samples) > 1) or best.case.scatter.first_look
    compared = {b.case: compare(best, b) for b in plausible if b is not best} if several else {}
    tie, undetermined = tied({case: comparison.verdict for case, comparison in compared.items()})
    timed = [
        case
        for case in cases
        if case.samples(best.kind)
        and not case.implausible
        and (case.is_like or not base)
        and (best.case.record.left or not case.record.left)
    ]
    return replace(
        best_of(timed if len(best.samples) > 1 else [best.case], best.kind, ties=False),
        case=best.case,
        candidates=len(plausible),
        tie=(best.case, *tie) if several else (),
        undetermined=undetermined,
        compared=compared,
    )


def compare(best: Best, other: Best) -> Comparison:
    """Return the Comparison of two Bests of one problem: the speedup of `best` over `other`.

    If `other` left the race and `best` did not, the verdict is FASTER.
    """
    scatter, pool = best.case.scatter, best.case.pool(best.kind, other.case)
    compared = scatter.between(other.samples, best.samples, baseline_of([best.case], best.kind), kind=pool)
    compared = compared.around(other.seconds / best.seconds, scatter.same_within)
    return compared._replace(verdict=FASTER) if other.case.record.left and not best.case.record.left else compared


def baseline_of(cases: Iterable[Case], kind: Kind) -> Samples | None:
    """Return the samples of the baseline of `cases`, which belong to one problem; None if there is no baseline."""
    baseline = next(iter(cases)).baseline
    return baseline and baseline.samples_of(kind)


def by_implementation(case: Case):
    return case.problem, case.record.implementation, case.record.device


def by_backend(case: Case):
    return case.problem, case.record.backend, case.record.device


def by_threads(case: Case):
    return *by_implementation(case), case.record.threads


def by_all_but_block(case: Case):
    """Return a key that cases share if they differ only in their block size."""
    return *by_threads(case), sweeps_blocks(case), format_parameters(case.record)


def sweeps_blocks(case: Case) -> bool:
    return "block_size" in case.record.parameters


def accelerating(cases: Iterable[Case]) -> list[Case]:
    """Return all cases except the cases of kernels that measure the machine's peaks."""
    return [case for case in cases if not is_peak(case.record.kernel)]


def measured_pinned(cases: Iterable[Case]):
    """Return the problems that were timed with transfers from and to page-locked memory."""
    return {case.problem for case in accelerating(cases) if case.ok and PINNED in case.record.timings}


def group_by(items, key):
    """Return {key: items}, with keys in the order in which they first occur."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
