"""The workers of a process that measures: whether there are any, and that none outlives it."""

import psutil
from waiting import soon


def workers(coordinator):
    """The living workers of the process of that number."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []  # none: gone, or not ours to ask
        if "accelbench.worker" in words and words[-1] == str(coordinator):
            found.append(process.pid)
    return found


def all_gone(coordinator, within_s=30):
    """Whether its workers end; one that was just being started notices a little later."""
    return soon(lambda: not workers(coordinator), within_s)
