"""The coordinator's side of a worker process: start it, call it with a deadline, see it die, kill it."""

import os
import signal
import tempfile
import time

from accelbench.errors import brief
from accelbench.machine import memory
from accelbench.measure import environment
from accelbench.measure.setup import Setup
from accelbench.processes.kept import signal_name
from accelbench.rpc.channel import Malformed
from accelbench.rpc.process import RemoteProcess
from accelbench.rpc.reading import Refused

# Whoever ends a whole job, as schedulers do, may reach its workers first; the coordinator then is gone before it has
# said anything of their cases. A worker that ran out of memory leaves it alive.
KILLED, GRACE_S = (-signal.SIGKILL, -signal.SIGTERM), 3.0
CLOSING_S = 3.0  # in which a worker that has closed its connection must have ended
LAST_WORDS = 8000  # characters of a dead worker's output that are looked at
SIGNALS: dict[int, str] = {
    signal.SIGSEGV: "segmentation fault",
    signal.SIGABRT: "aborted",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic exception",
    signal.SIGILL: "illegal instruction",
}


NO_SETUP = Setup(0)  # nothing is drawn


class Failed(Exception):
    """A worker could not do what it was asked: `outcome` and `reason`, and whether the process is still alive."""

    def __init__(self, outcome, reason, alive):
        self.outcome, self.reason, self.alive = outcome, brief(reason), alive
        super().__init__(f"{outcome}: {self.reason}")


class Client:
    """A running worker process, of this Python where none is given; `variables` is what was set in its environment."""

    oom_kills = None  # that the kernel had counted when last looked at

    def __init__(self, threads, device_kind, scratch, *, python=None, setup=NO_SETUP, verbose=False):
        self.variables = environment.variables(threads, device_kind, scratch) | setup.variables
        environment.make_folders(self.variables)
        if Client.oom_kills is None:
            Client.oom_kills = memory.oom_kills()
        self._output = None if verbose else tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 - closed with us
        with environment.bound(threads if device_kind == "cpu" else None):
            self._process = RemoteProcess(
                "accelbench.worker",
                python=python,
                variables=self.variables,
                cwd=scratch,
                stdout=self._output,
                stderr=self._output,
            )

    def ask(self, request, timeout, buffer_bytes=0):
        """Return the answer that a Request declares. Failed where the worker says no, dies, or has not answered in full
        within `timeout` seconds.

        buffer_bytes  the most that arrays in the answer may hold
        """
        try:
            return self._process.call(request, timeout, buffer_bytes)
        except TimeoutError:
            self.kill()
            raise Failed("timeout", f"no answer within {timeout:.3g} s ({request.name})", alive=False) from None
        except Refused as refused:
            raise Failed(refused.outcome, refused.reason, alive=True) from None
        except (Malformed, RecursionError) as error:
            self.kill()
            raise Failed("error", f"its answer to {request.name} is refused: {error}", alive=False) from None
        except (EOFError, OSError):
            raise Failed(*self._cause_of_death(), alive=False) from None

    def kill(self):
        """End the worker and whatever it started."""
        self._process.end()

    def last_words(self):
        """The end of what the worker printed."""
        if self._output is None:
            return ""
        output = self._output.fileno()
        start = max(0, os.fstat(output).st_size - LAST_WORDS)
        return os.pread(output, LAST_WORDS, start).decode(errors="replace").strip()

    def _cause_of_death(self):
        status = self._process.status(CLOSING_S)
        self.kill()
        words = self.last_words().splitlines()
        said = f"; it said: {words[-1][:300]}" if words else ""
        if status is None:
            return "crashed", f"closed its connection{said}"
        kills, known = memory.oom_kills(), Client.oom_kills
        Client.oom_kills = kills
        if status == -signal.SIGKILL and kills is not None and known is not None and kills > known:
            return "out_of_memory", f"killed by the kernel's out-of-memory killer{said}"
        if status in KILLED:
            time.sleep(GRACE_S)
        if status == -signal.SIGKILL:
            unknown = "; whether memory ran out is not to be seen here" if kills is None else ""
            return "crashed", f"killed by signal 9 (SIGKILL){unknown}{said}"
        if status < 0:
            return "crashed", f"{SIGNALS.get(-status, 'killed')} ({signal_name(-status)}){said}"
        return "crashed", f"the process ended itself with status {status}{said}"
