"""Samples on a machine that others use, too."""

import time


def least(timer, calls, expected, within_s=60.0):
    """The least of the samples, in seconds per call, that timer(calls) takes until one is at most `expected`: a busy
    machine makes them longer."""
    seconds, end = timer(calls), time.monotonic() + within_s
    while seconds > expected and time.monotonic() < end:
        seconds = min(seconds, timer(calls))
    return seconds
