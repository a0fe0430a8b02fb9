"""Samples on a machine that others use, too."""

import statistics
import time


def least(timer, calls, expected, within_s=60.0):
    """The least of the samples, in seconds per call, that timer(calls) takes until one is at most `expected`: a busy
    machine makes them longer."""
    seconds, end = timer(calls), time.monotonic() + within_s
    while seconds > expected and time.monotonic() < end:
        seconds = min(seconds, timer(calls))
    return seconds


def usual(timer, calls, expected, within_s=60.0):
    """The median of nine samples of a timer that errs both ways, taken anew until it is within 10 % of `expected`."""
    end = time.monotonic() + within_s
    while True:
        seconds = statistics.median(timer(calls) for _ in range(9))
        if abs(seconds - expected) <= 0.1 * expected or time.monotonic() > end:
            return seconds
