"""Times of every case, and speedups of every case over the baseline, in one row per case.

Only cases with the outcome ok have times. `baseline` is the case to which speedups refer.
"""

from accelbench.analysis.cases import PINNED
from accelbench.analysis.rows import CASE, columns, comparison, describe, speedup_columns
from accelbench.analysis.verdicts import Comparison
from accelbench.model.record import TIMINGS

COLUMNS = CASE | columns(
    ("outcome reason", str),
    (
        "compute_s compute_ci_low_s compute_ci_high_s call_s end_to_end_s first_call_s speedup speedup_ci_low "
        "speedup_ci_high speedup_next_low speedup_next_high speedup_end_to_end bandwidth_gb_s gflop_s "
        "fraction_of_peak fraction_ci_low fraction_ci_high max_error",
        float,
    ),
    ("verdict", str),
    ("speedup_end_to_end_ci_low speedup_end_to_end_ci_high", float),
    ("verdict_end_to_end", str),
    (
        "speedup_throughput speedup_throughput_ci_low speedup_throughput_ci_high speedup_call "
        "speedup_call_ci_low speedup_call_ci_high speedup_end_to_end_pinned speedup_end_to_end_pinned_ci_low "
        "speedup_end_to_end_pinned_ci_high",
        float,
    ),
    ("baseline parameters", str),
    (
        "throughput_s launch_s end_to_end_pinned_s upload_s download_s upload_pinned_s download_pinned_s occupancy",
        float,
    ),
    ("registers", int),
    ("energy_j tolerance", float),
    ("cache_resident implausible launch_bound synchronises unseen", bool),
    ("cores_used", float),
    ("more_cores inputs_replaced works_in_convert faster_later drifts noisy", bool),
    ("reference_shift", float),
    ("converged", bool),
    ("repetitions samples left_after source_lines", int),
    ("algorithm math target", str),
    ("is_base", bool),
    ("peak_memory_bytes", int),
    ("case", str),
)


def rows(analysis):
    return [_row(case) for case in analysis.cases]


def _row(case):
    record, timing, compared = case.record, case.timing("compute"), case.speedup("compute")
    low, high = case.interval("compute") or (None, None)
    pinned = case.speedup(PINNED) if PINNED in record.timings else Comparison()
    return {
        **describe(case, COLUMNS),
        "compute_ci_low_s": low,
        "compute_ci_high_s": high,
        **{f"{kind}_s": case.seconds(kind) for kind in TIMINGS if kind != PINNED},
        f"{PINNED}_s": case.seconds(PINNED) if PINNED in record.timings else None,
        **speedup_columns(compared),
        **comparison("speedup_end_to_end", case.speedup("end_to_end"), "_end_to_end"),
        **_ratio("speedup_throughput", case.speedup("throughput")),
        **_ratio("speedup_call", case.speedup("call")),
        **_ratio("speedup_end_to_end_pinned", pinned),
        "baseline": case.baseline.case.id if case.baseline and compared.ratio is not None else None,
        "converged": timing and timing.converged,
        "samples": sum(map(len, timing.samples_s)) if timing else 0,
    }


def _ratio(prefix, compared):
    """Return {column: value} of the Comparison `compared`, without its verdict. Column names begin with `prefix`."""
    return {name: value for name, value in comparison(prefix, compared).items() if name != "verdict"}
