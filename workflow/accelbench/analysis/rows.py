"""Columns that several tables share, with their types and values."""

from collections.abc import Iterable
from typing import Any

from accelbench.analysis import noise
from accelbench.analysis.cases import (
    format_block_size,
    format_options,
    format_parameters,
    is_launch_bound,
    reference_shift,
    uses_more_cores,
)


def columns(*runs) -> dict[str, type]:
    """Return {column: type} from pairs such as ("size threads", int). Spaces separate names of columns."""
    return {name: kind for names, kind in runs for name in names.split()}


PROBLEM = columns(("machine kernel options", str), ("size", int), ("dtype", str))
CASE = columns(
    ("machine kernel options implementation backend environment device", str),
    ("size", int),
    ("dtype block_size", str),
    ("threads", int),
)


def describe(case, columns: Iterable[str]) -> dict[str, Any]:
    """Return {column: value} of a case, for the columns that are fields of its record or keys of OF_CASES."""
    names = set(columns)
    values = {name: getattr(case.record, name) for name in names & type(case.record).model_fields.keys()}
    return values | {name: value(case) for name, value in OF_CASES.items() if name in names}


def comparison(prefix, compared, suffix="") -> dict[str, Any]:
    """Return a Comparison as columns <prefix> (the ratio), <prefix>_ci_low, <prefix>_ci_high and verdict<suffix>."""
    return {
        prefix: compared.ratio,
        f"{prefix}_ci_low": compared.low,
        f"{prefix}_ci_high": compared.high,
        f"verdict{suffix}": compared.verdict,
    }


def speedup_columns(compared) -> dict[str, Any]:
    """Return a Comparison with the baseline as columns, with the speedup's prediction interval for the next run."""
    following = {"speedup_next_low": compared.next_low, "speedup_next_high": compared.next_high}
    return comparison("speedup", compared) | following


OF_CASES = {
    "case": lambda case: case.id,
    "environment": lambda case: case.record.environment.name,
    "options": lambda case: format_options(case.record.options),
    "parameters": lambda case: format_parameters(case.record),
    "block_size": format_block_size,
    "fraction_of_peak": lambda case: case.fraction_of_peak,
    "fraction_ci_low": lambda case: case.fraction.low,
    "fraction_ci_high": lambda case: case.fraction.high,
    "implausible": lambda case: case.implausible,
    "launch_bound": is_launch_bound,
    "repetitions": lambda case: len(case.samples("compute")),
    "more_cores": lambda case: uses_more_cores(case.record),
    "bandwidth_gb_s": lambda case: case.bandwidth_gb_s,
    "gflop_s": lambda case: case.gflop_s,
    "first_call_s": lambda case: case.record.startup.first_call_s if case.ok and case.record.startup else None,
    "reference_shift": reference_shift,
    "faster_later": noise.is_faster_later,
    "drifts": noise.drifts,
    "is_base": lambda case: case.is_base,
    "left_after": lambda case: case.record.left and case.record.left.after,
}
