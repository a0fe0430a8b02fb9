"""What other processes do before long."""

import time


def soon(condition, within_s=10.0):
    """Whether a condition holds before long: what it gave last."""
    deadline = time.monotonic() + within_s
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def has_ended(process):
    """Whether the process of that number is no more."""
    try:
        with open(f"/proc/{process}/stat") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] == "Z"  # whoever adopted it has not looked yet
    except (FileNotFoundError, ProcessLookupError):
        return True
