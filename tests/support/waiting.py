"""Conditions on other processes that become true after a short time."""

import time


def soon(condition, within_s=10.0):
    """Wait until a condition holds, at most `within_s` seconds, and return its last value."""
    deadline = time.monotonic() + within_s
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def has_ended(process):
    """Return whether a process has ended."""
    try:
        with open(f"/proc/{process}/stat") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] == "Z"  # a zombie that its new parent has not reaped yet
    except (FileNotFoundError, ProcessLookupError):
        return True
