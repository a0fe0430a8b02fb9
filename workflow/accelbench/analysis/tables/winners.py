"""For each problem the winner or the tie, with every implementation at its best: one row for each kind of time."""

from dataclasses import dataclass

from accelbench.analysis.cases import PINNED, describe, speedup_columns
from accelbench.analysis.choices import (
    TIMINGS,
    baseline_of,
    by_implementation,
    group_by,
    held_out,
    measured_pinned,
    on_accelerator,
)
from accelbench.analysis.choosing import Field
from accelbench.analysis.rows import ProblemRow
from accelbench.analysis.tables.best import baseline_name
from accelbench.analysis.verdicts import Comparison, find_winner


@dataclass(frozen=True, kw_only=True)
class WinnerRow(ProblemRow):
    """Who is fastest by `timing`; verdicts.Winner says what the words mean. `seconds` and the speedup are of what the
    other repetitions find fastest of all cases, in each; what follows is of the fastest. `baseline` is the
    implementation that the speedup is over."""

    timing: str
    decision: str
    winner: str | None
    tie: str | None
    undetermined: str | None
    fastest: str | None
    device: str | None
    block_size: str | None
    threads: int | None
    seconds: float | None
    baseline: str | None
    speedup: float | None
    speedup_ci_low: float | None
    speedup_ci_high: float | None
    speedup_next_low: float | None
    speedup_next_high: float | None
    verdict: str | None
    candidates: int
    incomparable: int
    case: str | None
    tie_cases: str | None

    @property
    def names(self) -> list[str]:
        """The winner, all of a tie, or the fastest where nothing was decided."""
        if self.decision == "tie" and self.tie:
            return self.tie.split(" ")
        name = self.winner or self.fastest
        return [name] if name else []

    @classmethod
    def rows(cls, analysis):
        pinned = measured_pinned(analysis.cases)
        rows = []
        for kind in (*TIMINGS, PINNED):
            candidates = group_by(analysis.bests(kind, by_implementation), lambda best: best.case.problem)
            rows += [
                _row(cases, kind, candidates.get(problem, ()))
                for problem, cases in analysis.problems.items()
                if kind != PINNED or problem in pinned
            ]
        return sorted(rows, key=lambda row: (row.kernel, row.options, row.dtype, row.size))


def _row(cases, kind, candidates):
    by_case = {best.case: best for best in candidates if not best.case.implausible}
    samples = {case: best.samples for case, best in by_case.items()}
    baseline = baseline_of(cases, kind)
    field = Field(samples, baseline, on_accelerator(samples))

    def verdict(case, fastest):
        found = case.scatter.between(samples[case], samples[fastest], baseline, kind=fastest.pool(kind, case))
        return found.verdict

    result = find_winner(samples, field.ranked, verdict)
    fastest = held_out(by_case[result.fastest], cases) if result.fastest else None
    about = describe(cases[0], WinnerRow) | dict.fromkeys(("device", "block_size", "threads", "case"))
    name = None
    if fastest:
        about = describe(fastest.case, WinnerRow)
        name = fastest.case.record.implementation
    return WinnerRow(
        **about,
        timing=kind,
        decision=result.decision,
        winner=name if result.decision == "winner" else None,
        tie=_names(result.tie) or None,
        undetermined=_names(result.undetermined) or None,
        fastest=name,
        seconds=fastest and fastest.seconds,
        baseline=baseline_name(cases[0]),
        **speedup_columns(fastest.speedup() if fastest else Comparison()),
        candidates=len(by_case),
        incomparable=len(result.incomparable),
        tie_cases=" ".join(case.id for case in result.tie) or None,
    )


def _names(cases):
    return " ".join(dict.fromkeys(case.record.implementation for case in cases))
