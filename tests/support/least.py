"""Repeated samples of a timer, for tests on busy machines."""

import statistics
import time


def least(timer, calls, expected, within_s=60.0):
    """Return the minimum sample of timer(calls), in seconds per call.

    Sample until the minimum is at most `expected`, or for `within_s` seconds. A busy machine makes samples longer.
    """
    seconds, end = timer(calls), time.monotonic() + within_s
    while seconds > expected and time.monotonic() < end:
        seconds = min(seconds, timer(calls))
    return seconds


def usual(timer, calls, expected, within_s=60.0):
    """Return the median of nine samples of a timer whose errors have both signs.

    Repeat until the median is within 10 % of `expected`, or for `within_s` seconds. Return the last median.
    """
    end = time.monotonic() + within_s
    while True:
        seconds = statistics.median(timer(calls) for _ in range(9))
        if abs(seconds - expected) <= 0.1 * expected or time.monotonic() > end:
            return seconds
