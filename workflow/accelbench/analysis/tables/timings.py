"""What every case took, and how that compares with its baseline: one row a case."""

from dataclasses import dataclass

from accelbench.analysis import noise
from accelbench.analysis.cases import PINNED, Case, comparison, describe, speedup_columns
from accelbench.analysis.rows import CaseRow
from accelbench.analysis.verdicts import Comparison
from accelbench.model.record import TIMINGS


@dataclass(frozen=True, kw_only=True)
class TimingRow(CaseRow):
    """One case. Only where `outcome` is ok there are times; speedups compare with `baseline`, a case."""

    outcome: str
    reason: str | None
    compute_s: float | None
    compute_ci_low_s: float | None
    compute_ci_high_s: float | None
    call_s: float | None
    end_to_end_s: float | None
    first_call_s: float | None
    speedup: float | None
    speedup_ci_low: float | None
    speedup_ci_high: float | None
    speedup_next_low: float | None
    speedup_next_high: float | None
    speedup_end_to_end: float | None
    bandwidth_gb_s: float | None
    gflop_s: float | None
    fraction_of_peak: float | None
    fraction_ci_low: float | None
    fraction_ci_high: float | None
    max_error: float | None
    verdict: str | None
    speedup_end_to_end_ci_low: float | None
    speedup_end_to_end_ci_high: float | None
    verdict_end_to_end: str | None
    speedup_throughput: float | None
    speedup_throughput_ci_low: float | None
    speedup_throughput_ci_high: float | None
    speedup_call: float | None
    speedup_call_ci_low: float | None
    speedup_call_ci_high: float | None
    speedup_end_to_end_pinned: float | None
    speedup_end_to_end_pinned_ci_low: float | None
    speedup_end_to_end_pinned_ci_high: float | None
    speedup_same_threads: float | None
    speedup_same_threads_ci_low: float | None
    speedup_same_threads_ci_high: float | None
    baseline: str | None
    parameters: str
    throughput_s: float | None
    launch_s: float | None
    end_to_end_pinned_s: float | None
    upload_s: float | None
    download_s: float | None
    upload_pinned_s: float | None
    download_pinned_s: float | None
    occupancy: float | None
    registers: int | None
    energy_j: float | None
    tolerance: float | None
    cache_resident: bool | None
    implausible: bool | None
    launch_bound: bool | None
    synchronises: bool | None
    unseen: bool | None
    cores_used: float | None
    more_cores: bool | None
    inputs_replaced: bool | None
    works_in_convert: bool | None
    faster_later: bool | None
    drifts: bool | None
    noisy: bool | None
    reference_shift: float | None
    converged: bool | None
    repetitions: int
    samples: int
    source_lines: int | None
    algorithm: str | None
    math: str | None
    target: str | None
    is_base: bool | None
    peak_memory_bytes: int | None
    case: str

    @classmethod
    def rows(cls, analysis):
        return [_row(case) for case in analysis.cases]


def _row(case: Case) -> TimingRow:
    record, timing, seconds = case.record, case.timing("compute"), case.seconds("compute")
    moved = None if None in (record.bytes_read, record.bytes_written) else record.bytes_read + record.bytes_written
    compared = case.speedup("compute")
    pinned = PINNED in record.timings
    return TimingRow(
        **describe(case, TimingRow),
        compute_ci_low_s=timing and timing.ci_low_s,
        compute_ci_high_s=timing and timing.ci_high_s,
        **_seconds(case),
        first_call_s=record.startup.first_call_s if case.ok and record.startup else None,
        **speedup_columns(compared),
        **comparison("speedup_end_to_end", case.speedup("end_to_end"), "_end_to_end"),
        **_ratio("speedup_throughput", case.speedup("throughput")),
        **_ratio("speedup_call", case.speedup("call")),
        **_ratio("speedup_end_to_end_pinned", case.speedup(PINNED) if pinned else Comparison()),
        **_ratio("speedup_same_threads", case.speedup_same_threads("compute")),
        baseline=case.baseline.case.id if case.baseline and compared.ratio is not None else None,
        bandwidth_gb_s=moved / seconds / 1e9 if moved and seconds else None,
        gflop_s=record.flops / seconds / 1e9 if record.flops and seconds else None,
        reference_shift=max((shift for shift in record.environment.reference_shift if shift is not None), default=None),
        faster_later=noise.is_faster_later(case),
        drifts=noise.drifts(case),
        converged=timing and timing.converged,
        samples=sum(map(len, timing.samples_s)) if timing else 0,
        is_base=case.is_base,
    )


def _seconds(case):
    """Its times of every kind; nothing of page-locked memory where that is not another thing."""
    times = {f"{kind}_s": case.seconds(kind) for kind in TIMINGS if kind != PINNED}
    return times | {f"{PINNED}_s": case.seconds(PINNED) if PINNED in case.record.timings else None}


def _ratio(prefix, compared):
    """A Comparison as columns, without the verdict."""
    return {name: value for name, value in comparison(prefix, compared).items() if name != "verdict"}
