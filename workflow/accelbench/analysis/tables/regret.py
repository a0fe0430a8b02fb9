"""What the common default block of 256 or 16x16 costs against the best block size of the same implementation."""

from dataclasses import dataclass

from accelbench.analysis.cases import comparison, describe, format_block_size, has_default_block
from accelbench.analysis.choices import accelerating, by_all_but_block, group_by, seconds, sweeps_blocks
from accelbench.analysis.rows import Row
from accelbench.analysis.verdicts import ITSELF, Comparison


@dataclass(frozen=True, kw_only=True)
class RegretRow(Row):
    """An implementation, device, number of threads and other parameters of a problem that was measured with several
    block sizes. `regret` is the default's time divided by the best's, which is reported from repetitions it was not
    chosen by; null where the default is among those that could not run, or was not in the sweep."""

    machine: str
    kernel: str
    options: str
    implementation: str
    backend: str
    device: str | None
    size: int
    dtype: str
    threads: int | None
    parameters: str
    default_block_size: str | None
    default_outcome: str | None
    default_s: float | None
    best_block_size: str | None
    best_s: float
    regret: float | None
    regret_ci_low: float | None
    regret_ci_high: float | None
    verdict: str | None
    candidates: int
    held_out: bool
    tie: str | None
    case: str

    @classmethod
    def rows(cls, analysis):
        planned = group_by(filter(sweeps_blocks, accelerating(analysis.cases)), by_all_but_block)
        rows = []
        for best in filter(lambda best: sweeps_blocks(best.case), analysis.bests("compute", by_all_but_block)):
            group = planned[by_all_but_block(best.case)]
            if len(group) > 1:
                rows.append(_row(best, next(filter(has_default_block, group), None)))
        return rows


def _row(best, default):
    own = default.samples("compute") if default and not default.implausible else None
    loss = ITSELF
    if default is not best.case:
        compared = best.case.scatter.compare(own, best.samples, best.case.pool("compute", default)) if own else None
        loss = best.case.believed(compared) if compared else Comparison()
    return RegretRow(
        **describe(best.case, RegretRow),
        default_block_size=default and format_block_size(default),
        default_outcome=default and default.record.outcome,
        default_s=seconds(own) if own else None,
        best_block_size=format_block_size(best.case),
        best_s=best.seconds,
        **comparison("regret", loss),
        candidates=best.candidates,
        held_out=best.choice.held_out,
        tie=" ".join(filter(None, map(format_block_size, best.choice.tie))) or None,
    )
