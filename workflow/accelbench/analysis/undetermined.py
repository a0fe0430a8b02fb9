"""What matters in results and is not decided yet: what more repetitions are worth measuring of."""

from collections import defaultdict
from collections.abc import Iterable

from accelbench.analysis.analysis import Analysis
from accelbench.analysis.cases import Case
from accelbench.analysis.choices import Best, baseline_of, by_implementation, group_by
from accelbench.analysis.tables.winners import WinnerRow
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER

MOST_REPETITIONS = 10  # of a case in all


def undetermined(analysis: Analysis) -> dict[str, set[str]]:
    """{kernel: ids of cases, with those that they are compared with} that nothing is decided of, although it matters:

    - who wins a problem, where several share the first place and nothing says that they are the same;
    - whether anything beats NumPy, where nothing surely does and something may;
    - from which size on an implementation does, where it surely does at one size, surely not at another, and may at a
      third.

    Implementations are at their best, by `compute`. What has MOST_REPETITIONS is left as it is.
    """
    bests = [best for best in analysis.bests("compute", by_implementation) if not best.case.implausible]
    found = [case for problem in group_by(bests, lambda best: best.case.problem).values() for case in _rivals(problem)]
    found += _winners(analysis, {best.case.id: best for best in bests})
    found += _crossovers(bests)
    wanted = defaultdict(set)
    for case in found:
        if case.baseline and len(case.samples("compute")) < MOST_REPETITIONS:
            wanted[case.record.kernel] |= {case.id, *(b.id for b in case.baseline.chosen.values())}
    return dict(wanted)


def _winners(analysis, bests) -> Iterable[Case]:
    for row in analysis.table(WinnerRow, timing="compute", decision="tie"):
        fastest, *others = (bests[case] for case in (row.tie_cases or "").split())
        baseline = baseline_of([fastest.case], "compute")
        for other in others:
            pool = fastest.case.pool("compute", other.case)
            if fastest.case.scatter.between(other.samples, fastest.samples, baseline, kind=pool).verdict == AMBIGUOUS:
                yield from (fastest.case, other.case)


def _rivals(bests: list[Best]) -> Iterable[Case]:
    rivals = [(best.case, best.speedup().verdict) for best in bests if best.case.has_rival_baseline]
    if not any(verdict == FASTER for _, verdict in rivals):
        yield from (case for case, verdict in rivals if verdict == AMBIGUOUS)


def _crossovers(bests: list[Best]) -> Iterable[Case]:
    def family(best):
        kernel, options, dtype, _ = best.case.problem
        return kernel, options, dtype, best.case.record.implementation, best.case.record.device

    rivals = (best for best in bests if best.case.has_rival_baseline)
    for several in group_by(rivals, family).values():
        verdicts = [(best.case, best.speedup().verdict) for best in several]
        seen = {verdict for _, verdict in verdicts}
        if FASTER in seen and seen & {SLOWER, SAME}:
            yield from (case for case, verdict in verdicts if verdict == AMBIGUOUS)
