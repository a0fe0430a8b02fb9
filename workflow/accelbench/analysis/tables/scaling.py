"""What implementations measured at several thread counts gain by each of them."""

from dataclasses import dataclass

from accelbench.analysis.cases import comparison, describe
from accelbench.analysis.choices import baseline_of, by_implementation, by_threads, group_by
from accelbench.analysis.rows import CaseRow
from accelbench.analysis.verdicts import ITSELF


@dataclass(frozen=True, kw_only=True)
class ScalingRow(CaseRow):
    """`scaling` is how many times as fast as with its `fewest_threads` it is, `efficiency` the share of the ideal."""

    parameters: str
    compute_s: float
    fewest_threads: int
    scaling: float | None
    scaling_ci_low: float | None
    scaling_ci_high: float | None
    verdict: str | None
    efficiency: float | None
    case: str

    @classmethod
    def rows(cls, analysis):
        bests = [best for best in analysis.bests("compute", by_threads) if best.case.record.threads is not None]
        counts = group_by(bests, lambda best: by_implementation(best.case)).values()
        return [_row(best, several[0]) for several in counts if len(several) > 1 for best in several]


def _row(best, fewest):
    gain = ITSELF
    if best is not fewest:
        gain = best.case.scatter.between(fewest.samples, best.samples, baseline_of([best.case], "compute"))
        gain = fewest.case.believed(best.case.believed(gain))
    threads = fewest.case.record.threads
    return ScalingRow(
        **describe(best.case, ScalingRow),
        compute_s=best.seconds,
        fewest_threads=threads,
        **comparison("scaling", gain),
        efficiency=gain.ratio and gain.ratio * threads / best.case.record.threads,
    )
