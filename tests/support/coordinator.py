"""The workers of a measuring process: which are alive, and whether they end with it."""

import psutil
from waiting import soon


def workers(coordinator):
    """Return the process ids of the living workers of a coordinator."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []  # none if it has ended or belongs to another user
        if "accelbench.worker" in words and words[-1] == str(coordinator):
            found.append(process.pid)
    return found


def all_gone(coordinator, within_s=30):
    """Return whether the workers of a coordinator end in time; a starting worker notices the end a little later."""
    return soon(lambda: not workers(coordinator), within_s)
