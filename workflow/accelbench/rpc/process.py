"""The caller's side of a worker or verifier process: start it, call it with a deadline, end it."""

import os
import socket
import subprocess
import sys
import time
from typing import Any

from accelbench.processes.kept import Kept, clean_environment
from accelbench.rpc import reading
from accelbench.rpc.channel import Channel
from accelbench.rpc.messages import Request


class RemoteProcess:
    """A process that runs a module of this package and answers requests.

    python     that runs it, this one where it is None
    passed     descriptors that the module is given after that of its socket
    files      whether it may send open files
    variables  of its environment, beside the inherited ones
    settings   of Kept
    """

    def __init__(self, module, *, python=None, passed=(), files=False, variables, **settings):
        ours, theirs = socket.socketpair()
        self._channel, self._requests = Channel(ours, files=files), 0
        with theirs:
            numbers = theirs.fileno(), *passed
            self._kept = Kept(
                [python or sys.executable, "-m", module, *map(str, numbers), str(os.getpid())],
                passed=numbers,
                env=clean_environment() | variables,
                stdin=subprocess.DEVNULL,
                **settings,
            )
        self.pid, self.status = self._kept.pid, self._kept.status

    def call(self, request: Request, timeout_s: float, buffer_bytes: int = sys.maxsize) -> Any:
        """Return the answer to a request. It may hold arrays of at most `buffer_bytes`.

        TimeoutError where it has not come in full in time, EOFError or OSError where the process has ended, Malformed
        or RecursionError where the answer is none, Refused.
        """
        self._requests += 1
        deadline = time.monotonic() + timeout_s
        self._channel.send(self._requests, request, deadline)
        process = self.pid(timeout_s)
        if process is None:
            raise EOFError
        return reading.read(
            request, self._channel.receive(process, self._requests, deadline, buffer_bytes=buffer_bytes)[1]
        )

    def end(self):
        """End the process and all it has started."""
        self._kept.end()
        self._channel.close()
