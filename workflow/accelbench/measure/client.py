"""Worker processes that the coordinator starts: their environment, their output, and why they ended."""

import os
import signal
import tempfile
import time

from accelbench.machine import memory
from accelbench.measure import environment
from accelbench.processes.supervision import signal_name
from accelbench.rpc.process import RemoteProcess

# Exit statuses of a killed worker, and time that the coordinator then waits, in seconds. A scheduler that ends the job
# kills the coordinator, too, during this time, so that no crash is recorded.
KILLED, GRACE_S = (-signal.SIGKILL, -signal.SIGTERM), 3.0
LAST_WORDS = 8000  # Maximum bytes, from the end of a worker's output, that `last_words` reads


class Client(RemoteProcess):
    """A running worker process.

    python     path of the Python that runs the worker; if None, the Python of this process
    variables  environment variables of the worker, in addition to those of measure.environment
    """

    oom_kills = None  # Number of out-of-memory kills by the operating system, as last read

    def __init__(self, threads, device_kind, scratch, *, python=None, variables=None, verbose=False):
        self.variables = environment.variables(threads, device_kind, scratch) | (variables or {})
        environment.make_folders(self.variables)
        if Client.oom_kills is None:
            Client.oom_kills = memory.oom_kills()
        self._output = output = None if verbose else tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 - closed by GC
        settings = {"python": python, "variables": self.variables, "cwd": scratch, "stdout": output, "stderr": output}
        with environment.bound(threads if device_kind == "cpu" else None):
            super().__init__("accelbench.worker", **settings)

    def last_words(self):
        """Return the end of the worker's output."""
        if self._output is None:
            return ""
        output = self._output.fileno()
        start = max(0, os.fstat(output).st_size - LAST_WORDS)
        return os.pread(output, LAST_WORDS, start).decode(errors="replace").strip()

    def _cause_of_death(self, status):
        self.end()
        words = self.last_words().splitlines()
        quote = f"; last line of its output: {words[-1][:300]}" if words else ""
        if status is None:
            return "crashed", f"the worker closed its connection{quote}"
        kills, known = memory.oom_kills(), Client.oom_kills
        Client.oom_kills = kills
        if status == -signal.SIGKILL and kills is not None and known is not None and kills > known:
            return "out_of_memory", f"killed by the out-of-memory killer of the operating system{quote}"
        if status in KILLED:
            time.sleep(GRACE_S)
        if status == -signal.SIGKILL:
            unknown = "; it is unknown whether memory ran out" if kills is None else ""
            return "crashed", f"killed by signal 9 (SIGKILL){unknown}{quote}"
        if status < 0:
            return "crashed", f"{(signal.strsignal(-status) or 'killed').lower()} ({signal_name(-status)}){quote}"
        return "crashed", f"the process ended itself with status {status}{quote}"
