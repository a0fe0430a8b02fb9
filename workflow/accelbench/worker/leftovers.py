"""Processes that an implementation leaves running: they may wait, but not compute while others are measured."""

import contextlib
import os
import signal
from time import monotonic

from accelbench.processes.keeper import adopt_orphans, descendants

SHARE, LEAST_S = 0.05, 0.05  # of the time it is not asked anything, and at least, what they may compute


class Busy(Exception):
    """They did; the message says how long."""


class Leftovers:
    """This process's descendants, those without a parent included."""

    def __init__(self):
        adopt_orphans()
        self._used_s, self._since = {}, monotonic()
        self._busy_s = self._idle_s = 0.0

    def note(self):
        """Call this when a question has been answered."""
        self._used_s, self._since = descendants(os.getpid()) if has_children() else {}, monotonic()

    def check(self):
        """Call this before the next question; where they computed meanwhile, they are killed and Busy is raised."""
        if not has_children():
            return
        now = descendants(os.getpid())
        self._idle_s += monotonic() - self._since
        self._busy_s += sum(used - self._used_s.get(process, 0.0) for process, used in now.items())
        if self._busy_s > max(LEAST_S, SHARE * self._idle_s):
            for process in now:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            busy_s, self._busy_s, self._idle_s = self._busy_s, 0.0, 0.0
            raise Busy(f"processes that it left running computed for {busy_s:.2g} s while others were measured")


def has_children():
    """Whether there is a child, living or not yet waited for; costs a microsecond."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
