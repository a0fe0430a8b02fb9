"""The best threads and parameters of each implementation and device, per problem."""

from dataclasses import dataclass

from accelbench.analysis.cases import describe, parameter_id, speedup_columns
from accelbench.analysis.choices import by_implementation
from accelbench.analysis.rows import CaseRow


@dataclass(frozen=True, kw_only=True)
class BestRow(CaseRow):
    """The best of `candidates` cases; `tie` are the parameters of all that it cannot be told from, `baseline` is the
    implementation that its speedup is over."""

    parameters: str
    compute_s: float
    baseline: str | None
    speedup: float | None
    speedup_ci_low: float | None
    speedup_ci_high: float | None
    speedup_next_low: float | None
    speedup_next_high: float | None
    verdict: str | None
    candidates: int
    held_out: bool
    tie: str | None
    implausible: bool | None
    case: str

    @classmethod
    def rows(cls, analysis):
        return [
            cls(
                **describe(best.case, cls),
                compute_s=best.seconds,
                baseline=baseline_name(best.case),
                **speedup_columns(best.speedup()),
                candidates=best.candidates,
                held_out=best.choice.held_out,
                tie=" ".join(parameter_id(case) for case in best.choice.tie if not case.implausible) or None,
            )
            for best in analysis.bests("compute", by_implementation)
        ]


def baseline_name(case) -> str | None:
    """The implementation that all repetitions together choose for what speedups of the case's problem are over."""
    return case.baseline and case.baseline.case.record.implementation
