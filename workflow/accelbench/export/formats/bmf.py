"""Bencher Metric Format: {benchmark: {measure: {value, lower_value, upper_value}}}.

`latency` is the measure that Bencher itself keeps in nanoseconds.

Source: Bencher's documentation, "Bencher Metric Format (BMF)".
"""

import math

from accelbench.export.samples import timed as holds
from accelbench.model.record import case_id

NANOSECONDS = 1e9


def document(results):
    """Every case with a time, with the ends of its 95 % interval where there are two."""
    return {case_id(record): {"latency": _metric(record)} for record in results.records if holds(record)}


def _metric(record):
    timing = record.timings["compute"]
    found = {"value": timing.median_s, "lower_value": timing.ci_low_s, "upper_value": timing.ci_high_s}
    return {name: seconds * NANOSECONDS for name, seconds in found.items() if math.isfinite(seconds)}
