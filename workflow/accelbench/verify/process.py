"""The verifier as who asks it sees it: a process that is started when it is needed, and again after it has died."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from accelbench.errors import InputError, WrongResult
from accelbench.processes.kept import SPIN_BRIEFLY, Kept, clean_environment, signal_name
from accelbench.verify.protocol import Begin
from accelbench.worker.channel import Channel, Malformed

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
        self._folders, self._settings, self._kept, self._asked = folders or {}, settings, None, 0

    def call(self, question):
        """The answer that a question of verify.protocol declares; InputError, WrongResult, MemoryError, Broken."""
        try:
            if self._kept is None:
                self._start()
            answer = self._exchange(self.deadline_s, question)
        except TimeoutError:
            raise self._broken(f"takes longer than {self.deadline_s:g} s") from None
        except (EOFError, OSError, Malformed):
            raise self._broken(_end(self._kept.status(1.0))) from None
        match answer:
            case ["ok", value]:
                return question.answered(value)
            case ["wrong_result", [reason]]:
                raise WrongResult(reason)
            case ["input", [where, problem, remedy]]:
                raise InputError(where, problem, remedy)
        raise MemoryError

    def process_id(self):
        """Of the process that runs."""
        return self._kept.pid(START_S)

    def close(self):
        """End the process and all it has started."""
        if self._kept is not None:
            self._kept.end()
            self._channel.close()
            self._progress.close()
            self._kept = None

    def _start(self):
        for folder in self._folders.values():
            Path(folder).mkdir(parents=True, exist_ok=True)
        ours, theirs = socket.socketpair()
        self._channel = Channel(ours, files=True)
        self._progress = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        with theirs:
            numbers = [theirs.fileno(), self._progress.fileno()]
            self._kept = Kept(
                [sys.executable, "-m", "accelbench.verify", *map(str, numbers)],
                passed=numbers,
                memory_bytes=self._memory_bytes,
                victim=500,  # before the coordinator, after workers
                env=clean_environment() | SPIN_BRIEFLY | self._folders,
                stdin=subprocess.DEVNULL,
                **self._settings,
            )
        self._exchange(START_S, Begin(self._memory_bytes // KEPT_SHARE, self._secret))

    def _exchange(self, limit_s, question):
        self._asked += 1
        deadline = time.monotonic() + limit_s
        self._channel.send(self._asked, [question.name, vars(question)], deadline)
        return self._channel.receive(None, self._asked, deadline, buffer_bytes=sys.maxsize)[1]

    def _broken(self, how):
        running = os.pread(self._progress.fileno(), 64, 0).decode().strip() or "the verifier"
        self.close()
        return Broken(f"{running} {how}")


def _end(status):
    """What happened to the process instead of an answer."""
    if status is None:
        return "is out of order"
    return f"ends the process ({signal_name(-status) if status < 0 else f'exit status {status}'})"
