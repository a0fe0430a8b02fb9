"""The worker processes of a coordinator: which are alive, and whether they end with the coordinator."""

import psutil
from waiting import soon


def workers(coordinator):
    """Return the process ids of the running workers of the coordinator with this process id."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []  # None if the process has ended or belongs to another user
        if "accelbench.worker" in words and words[-1] == str(coordinator):
            found.append(process.pid)
    return found


def all_gone(coordinator, within_s=30):
    """Return whether all workers of a coordinator end in time. Workers that are still starting end last."""
    return soon(lambda: not workers(coordinator), within_s)
