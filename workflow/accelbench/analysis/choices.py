"""Cases at their best parameters, chosen and reported by different repetitions (see `choosing`).

The kernels that measure limits take no part: they are no way of accelerating anything. Choices are made for each of
TIMINGS, and for transfers from and to page-locked memory where a problem was measured with those.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from accelbench.analysis import effects
from accelbench.analysis.cases import PINNED, Case, Kind, format_parameters
from accelbench.analysis.choosing import ONE_PROCESS, TIE, UNKNOWN, WINNER, Best, choose, interval, seconds
from accelbench.analysis.samples import Samples
from accelbench.analysis.verdicts import SAME, tied
from accelbench.model.watched import is_peak

__all__ = ["Best", "best_of", "bests", "fastest", "interval", "seconds"]

# The kernel alone on resident data; a whole call on resident data as the host sees it; from host arrays to host arrays.
TIMINGS = ("compute", "call", "end_to_end")


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


def bests(cases: Iterable[Case], kind: Kind, key: Callable[[Case], Hashable]) -> list[Best]:
    """The Best by a kind of time of each group of cases with one key that has any, in the order of the tables; what is
    implausible is the best only of a group that has nothing else."""
    groups = group_by((case for case in accelerating(cases) if case.samples(kind)), key).values()
    return [best_of([case for case in group if not case.implausible] or group, kind) for group in groups]


def best_of(cases: Iterable[Case], kind: Kind) -> Best:
    """The Best of cases, at least one, all of which have this kind of time."""
    candidates = {case: case.samples(kind) for case in cases}
    baseline = baseline_of(candidates, kind)

    def compare(case, best, samples):
        return case.scatter.between(candidates[case], samples, baseline, kind=best.pool(kind, case))

    best = choose(candidates, compare, kind=kind, baseline=baseline, devices=on_accelerator(candidates))
    assert best is not None
    return best


def fastest(bests: Iterable[Best], kind: Kind, cases: Iterable[Case]) -> Best | None:
    """The fastest plausible one of several Bests of one problem, which ties with their cases; None of none.

    Its samples are of what the other repetitions find fastest of all plausible `cases`, in each.
    """
    samples = {best.case: best.samples for best in bests if not best.case.implausible}
    baseline, plausible = baseline_of(cases, kind), [case for case in cases if not case.implausible]

    def compare(case, best, _):
        return case.scatter.between(samples[case], samples[best], baseline, kind=best.pool(kind, case))

    best = choose(samples, compare, kind=kind, baseline=baseline, devices=on_accelerator(samples))
    held_out = choose(
        {case: case.samples(kind) for case in plausible},
        kind=kind,
        baseline=baseline,
        devices=on_accelerator(plausible),
    )
    if best is None or held_out is None:
        return None
    return replace(best, samples=held_out.samples, chosen=held_out.chosen, instead=held_out.instead)


def beside(bests: Iterable[Best]) -> list[Best]:
    """Bests of one problem with the times that the effects of rounds leave. Those of cores and of accelerators stand
    apart, since these have moods of their own, and so does what converts no inputs, so that its time is the same
    wherever the data are."""
    times = {}
    for several in group_by(bests, lambda best: (best.case.on_accelerator, _converts(best.case))).values():
        times |= effects.times({best: best.samples for best in several})
    return [replace(best, beside=seconds) for best, seconds in times.items()]


def _converts(case):
    return case.timing("end_to_end") is not case.timing("compute")


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


def on_accelerator(cases: Iterable[Case]) -> set[Case]:
    """Those that do not run on the cores that baselines run on."""
    return {case for case in cases if case.on_accelerator}


def group_by(items, key):
    """{key: items} in the order of their first."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
