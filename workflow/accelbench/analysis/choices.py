"""Cases at their best parameters, chosen and reported by different repetitions (see `choosing`).

The kernels that measure limits take no part: they are no way of accelerating anything. Choices are made for each of
TIMINGS, and for transfers from and to page-locked memory where a problem was measured with those.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from accelbench.analysis.cases import PINNED, Case, Kind, format_parameters, seconds_of
from accelbench.analysis.choosing import ONE_PROCESS, TIE, UNKNOWN, WINNER, Best, choose
from accelbench.analysis.samples import Samples
from accelbench.analysis.verdicts import FASTER, SAME, Comparison, tied
from accelbench.model.watched import is_peak

# The kernel alone on resident data; a whole call on resident data as the host sees it; from host arrays to host arrays.
TIMINGS = ("compute", "call", "end_to_end")


def fastest_machines(times: Mapping[str, Best]) -> tuple[str, tuple[str, ...]]:
    """(decision, the machines that may be the fastest), from {machine: its Best}, fastest first.

    WINNER where one is; TIE where all of them are the SAME; UNKNOWN where their intervals are too wide to tell;
    ONE_PROCESS, of the one with the lowest time, where one has no interval.
    """
    first, *others = times
    verdicts: dict[Hashable, str | None] = {name: times[first].verdict_against(times[name]) for name in others}
    if None in verdicts.values():
        return ONE_PROCESS, (first,)
    rivals, _ = tied(verdicts)
    same = all(verdicts[name] == SAME for name in rivals)
    return (TIE if same else UNKNOWN) if rivals else WINNER, (first, *rivals)


def bests(cases: Iterable[Case], kind: Kind, key: Callable[[Case], Hashable]) -> list[Best]:
    """The Best by a kind of time of each group of cases with one key that has any, in the order of the tables; what is
    implausible is the best only of a group that has nothing else."""
    groups = group_by((case for case in accelerating(cases) if case.samples(kind)), key).values()
    plausible = ([case for case in group if not case.implausible] or group for group in groups)
    return [own[0].alone(kind) if len(own) == 1 else best_of(own, kind) for own in plausible]


def best_of(cases: Iterable[Case], kind: Kind, *, ties: bool = True) -> Best:
    """The Best of cases, at least one, all of which have this kind of time; without what ties with it if not asked."""
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
    """The plausible one of several Bests of one problem with the lowest time, which ties with their cases; None of
    none. What was measured in one repetition, or in none beside the baseline, is the fastest only of its like.

    Its samples are of what the other repetitions find fastest of all plausible `cases`, of those in `base` alone or of
    all.
    """
    plausible = sorted((best for best in bests if not best.case.implausible), key=lambda best: best.seconds)
    if not plausible:
        return None
    baseline = baseline_of([plausible[0].case], plausible[0].kind) or {}
    beside = {b: not baseline or bool(baseline.keys() & b.samples.keys()) for b in plausible}
    best = min(plausible, key=lambda b: (b.case.record.left is not None, len(b.samples) < 2, not beside[b]))
    several = len(best.samples) > 1 or best.case.scatter.first_look
    compared = {b.case: compare(best, b) for b in plausible if b is not best} if several else {}
    tie, undetermined = tied({case: each.verdict for case, each in compared.items()})
    timed = [case for case in cases if case.samples(best.kind) and not case.implausible and (case.is_like or not base)]
    timed = [case for case in timed if not case.record.left] or timed
    return replace(
        best_of(timed, best.kind, ties=False),
        case=best.case,
        candidates=len(plausible),
        tie=(best.case, *tie) if several else (),
        undetermined=undetermined,
        compared=compared,
    )


def compare(best: Best, other: Best) -> Comparison:
    """How many times as fast the first of two Bests of a problem is. Any is FASTER than one that left the race."""
    scatter, pool = best.case.scatter, best.case.pool(best.kind, other.case)
    compared = scatter.between(other.samples, best.samples, baseline_of([best.case], best.kind), kind=pool)
    compared = compared.around(other.seconds / best.seconds, scatter.same_within)
    return compared._replace(verdict=FASTER) if other.case.record.left and not best.case.record.left else compared


def baseline_of(cases: Iterable[Case], kind: Kind) -> Samples | None:
    """The samples of what cases of one problem are compared with."""
    baseline = next(iter(cases)).baseline
    return baseline and baseline.samples_of(kind)


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


def group_by(items, key):
    """{key: items} in the order of their first."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
