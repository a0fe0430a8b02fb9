"""The verifier as its callers see it: a process that is started when it is needed, and again after it has died."""

import os
import tempfile
from pathlib import Path

from accelbench.errors import InputError, WrongResult
from accelbench.processes.kept import SPIN_BRIEFLY, signal_name
from accelbench.rpc.channel import Malformed
from accelbench.rpc.process import RemoteProcess
from accelbench.rpc.reading import Refused
from accelbench.rpc.truth import Begin

START_S = 60.0
KEPT_SHARE = 8  # of the memory, one part in so many is for inputs and references kept for the next who asks


class Broken(Exception):
    """The process has not answered and is gone; the message says what ran last, a function of a kernel.py, and how."""


class VerifierProcess:
    """A verifier process (accelbench.verify).

    deadline_s    in which what it is called for must have come to its end
    memory_bytes  the most it may fill
    secret        that changes of inputs are drawn by
    folders       {variable of its environment: folder}, which are made
    settings      of subprocess.Popen
    """

    def __init__(self, deadline_s, memory_bytes, *, secret=0, folders=None, **settings):
        self.deadline_s, self._memory_bytes, self._secret = deadline_s, memory_bytes, secret
        self._folders, self._settings, self._process = folders or {}, settings, None

    def call(self, request):
        """Return the answer to a request of rpc.truth; InputError, WrongResult, MemoryError, Broken."""
        try:
            if self._process is None:
                self._start()
            return self._process.call(request, self.deadline_s)
        except Refused as refused:
            match refused.args:
                case "wrong_result", reason:
                    raise WrongResult(reason) from None
                case "error", where, problem, remedy:
                    raise InputError(where, problem, remedy) from None
            raise MemoryError from None
        except TimeoutError:
            raise self._broken(f"takes longer than {self.deadline_s:g} s") from None
        except (EOFError, OSError, Malformed):
            raise self._broken(_end(self._process.status(1.0))) from None

    def process_id(self):
        """Of the process that runs."""
        return self._process.pid(START_S)

    def close(self):
        """End the process and all it has started."""
        if self._process is not None:
            self._process.end()
            self._progress.close()
            self._process = None

    def _start(self):
        for folder in self._folders.values():
            Path(folder).mkdir(parents=True, exist_ok=True)
        self._progress = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = RemoteProcess(
            "accelbench.verify",
            passed=[self._progress.fileno()],
            files=True,
            variables=SPIN_BRIEFLY | self._folders,
            memory_bytes=self._memory_bytes,
            victim=500,  # before the coordinator, after workers
            **self._settings,
        )
        self._process.call(Begin(self._memory_bytes // KEPT_SHARE, self._secret), START_S)

    def _broken(self, how):
        running = os.pread(self._progress.fileno(), 64, 0).decode().strip() or "the verifier"
        self.close()
        return Broken(f"{running} {how}")


def _end(status):
    """What happened to the process instead of an answer."""
    if status is None:
        return "is out of order"
    return f"ends the process ({signal_name(-status) if status < 0 else f'exit status {status}'})"
