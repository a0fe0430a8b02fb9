"""Check that processes that an implementation leaves running do not compute while other cases are timed."""

import contextlib
import os
import signal
from time import monotonic

from accelbench.errors import Hindrance
from accelbench.processes.keeper import adopt_orphans, descendants

# Maximum CPU time of processes left running: LEAST_S seconds or, if longer, SHARE times the time between requests
SHARE, LEAST_S = 0.05, 0.05


class Leftovers:
    """The descendants of this process, including orphans, and their CPU time between requests."""

    def __init__(self):
        adopt_orphans()
        self._used_s, self._since = {}, monotonic()
        self._busy_s = self._idle_s = 0.0

    def note(self):
        """Record the CPU time of the descendants. The worker calls this method after each request."""
        self._used_s, self._since = descendants(os.getpid()) if has_children() else {}, monotonic()

    def check(self):
        """Kill the descendants and raise Hindrance if they used too much CPU time between requests.

        The worker calls this method before each request.
        """
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
            raise Hindrance(f"its child processes used {busy_s:.2g} s of CPU time while other cases were measured")


def has_children():
    """Return whether this process has a child that runs or is not reaped yet. The check takes a microsecond."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
