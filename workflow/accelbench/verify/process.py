"""The caller's side of the verifier: a process that starts when it is first called, and again after it has died."""

import os
import sys
import tempfile
from pathlib import Path

from accelbench.errors import InputError
from accelbench.processes.kept import SPIN_BRIEFLY
from accelbench.rpc.process import Failed, RemoteProcess

START_S = 60.0
KEPT_SHARE = 8  # Divisor of the memory limit that gives the memory for inputs and references of earlier calls


class VerifierProcess:
    """A verifier process (accelbench.verify).

    deadline_s    maximum time of a call, in seconds
    memory_bytes  memory limit of the process
    secret        seed of changes of inputs
    folders       {variable of its environment: folder}; the folders are made
    settings      of subprocess.Popen
    """

    def __init__(self, deadline_s, memory_bytes, *, secret=0, folders=None, **settings):
        self.deadline_s, self._memory_bytes, self._secret = deadline_s, memory_bytes, secret
        self._folders, self._settings, self._process = folders or {}, settings, None

    def call(self, name, **arguments):
        """Return the answer of a method of verify.__main__.Messages.

        Raise InputError if a function of a kernel.py fails. Raise Failed if a result is wrong or memory runs out. Raise
        it also if the process dies or takes too long: its reason names the function of the kernel.py that ran last.
        """
        try:
            if self._process is None:
                self._start()
            return self._process.call(name, self.deadline_s, sys.maxsize, **arguments)
        except Failed as failed:
            if failed.rest:
                raise InputError(failed.reason, *failed.rest) from None
            if failed.alive:
                raise
            how = {"timeout": f"takes longer than {self.deadline_s:g} s", "crashed": failed.reason}
            running = os.pread(self._progress.fileno(), 64, 0).decode().strip() or "the verifier"
            self.close()
            reason = f"{running} {how.get(failed.outcome, f'is out of order: {failed.reason}')}"
            raise Failed(failed.outcome, reason, alive=False) from None

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
            victim=500,  # ended before the coordinator and after workers if memory runs out
            **self._settings,
        )
        keep_bytes = self._memory_bytes // KEPT_SHARE
        self._process.call("begin", START_S, keep_bytes=keep_bytes, secret=self._secret)
