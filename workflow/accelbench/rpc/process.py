"""The caller's side of a worker or verifier process: start it, call its methods with a deadline, end it.

An implementation runs in the worker's process and may have changed anything there. So the caller checks that each
answer has its type in messages.ANSWERS.
"""

import os
import socket
import subprocess
import sys
import time
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from accelbench.errors import brief
from accelbench.model.limits import fits
from accelbench.processes.supervision import SupervisedProcess, clean_environment, signal_name
from accelbench.rpc.channel import Channel, Malformed
from accelbench.rpc.messages import ANSWERS, REFUSALS

CLOSING_S = 3.0  # Maximum time to wait for the end of a process that has closed its connection, in seconds

adapter = cache(TypeAdapter)


class Failed(Exception):
    """Error of a failed call to a process.

    outcome, reason  an outcome of a record, and the reason as a sentence for the user
    remedy           what the user can do; "" if the general remedy of the outcome applies
    cause            part of `reason` that similar reasons share, or the file with a mistake; "" if it equals `reason`
    alive            whether the process still runs
    """

    def __init__(self, outcome, reason, *, alive, remedy="", cause=""):
        self.outcome, self.alive = outcome, alive
        self.reason, self.remedy, self.cause = map(brief, (reason, remedy, cause))
        super().__init__(f"{outcome}: {self.reason}")


class RemoteProcess:
    """A process that runs a module of this package and serves calls (rpc.channel.Channel.serve).

    python     path of the Python that runs the process; if None, the Python of the calling process
    passed     file descriptors that the process inherits. Their numbers follow the socket's number on the command line
    files      whether the process may send open files
    variables  environment variables of the process, besides the inherited ones
    settings   further arguments of SupervisedProcess
    """

    def __init__(self, module, *, python=None, passed=(), files=False, variables, **settings):
        ours, theirs = socket.socketpair()
        self._channel, self._requests = Channel(ours, files=files), 0
        with theirs:
            numbers = theirs.fileno(), *passed
            self._process = SupervisedProcess(
                [python or sys.executable, "-m", module, *map(str, numbers), str(os.getpid())],
                passed=numbers,
                env=clean_environment() | variables,
                stdin=subprocess.DEVNULL,
                **settings,
            )
        self.pid = self._process.pid

    def call(self, name, timeout_s, buffer_bytes=sys.maxsize, /, **arguments) -> Any:
        """Call the process's method `name` and return its answer, whose arrays together may have up to `buffer_bytes`.

        Raise Failed if the process refuses, has ended, sends an invalid answer, or sends no complete answer within
        `timeout_s` seconds. If the call fails, this method ends the process, except if the process refused the request.
        """
        self._requests += 1
        deadline = time.monotonic() + timeout_s
        try:
            self._channel.send(self._requests, (name, arguments), deadline)
            process = self.pid(timeout_s)
            if process is None:
                raise EOFError
            _, answer = self._channel.receive(process, self._requests, deadline, buffer_bytes=buffer_bytes)
            return read(name, arguments, answer)
        except TimeoutError:
            failed = "timeout", f"no answer within {timeout_s:.3g} s ({name})"
        except (Malformed, RecursionError) as error:
            failed = "error", f"its answer to {name} is rejected: {error}"
        except (EOFError, OSError):
            failed = self._cause_of_death(self._process.status(CLOSING_S))
        self.end()
        raise Failed(*failed, alive=False)

    def end(self):
        """End the process and all processes that it started."""
        self._process.end()
        self._channel.close()

    def _cause_of_death(self, status):
        """Return (outcome, reason) for a process's exit `status`, or for None if the process only closed its socket."""
        if status is None:
            return "crashed", "closes its connection"
        return "crashed", f"ends the process ({signal_name(-status) if status < 0 else f'exit status {status}'})"


def read(name: str, arguments: dict[str, Any], answer: Any) -> Any:
    """Return the value in the answer to the call `name` with `arguments`, with the type that ANSWERS declares.

    Raise Failed if the answer is a refusal, and Malformed if it is neither a value of this type nor a refusal.
    """
    match answer:
        case ["ok", value]:
            try:
                result = adapter(ANSWERS[name]).validate_python(value)
            except ValidationError as error:
                raise Malformed(brief(error.errors(include_url=False)[0]["input"])) from None
            if (is_dataclass(result) and vars(result).keys() != value.keys()) or not _fits(name, arguments, result):
                raise Malformed(brief(value))
            return result
        case ["failed", [outcome, *words]] if outcome in REFUSALS and 1 <= len(words) <= 3 and fits(words, list[str]):
            reason, remedy, cause = (*words, "", "")[:3]
            raise Failed(outcome, reason, alive=True, remedy=remedy, cause=cause)
    raise Malformed(f"neither an answer nor a refusal: {brief(answer)}")


def _fits(name, arguments, result):
    """Return whether `result` has the keys, or the order of times, that the call `name` with `arguments` requires."""
    match name:
        case "warm_up":
            from accelbench.model.record import TIMINGS  # imported lazily to speed up the start of commands

            return {"compute"} <= result.keys() <= set(TIMINGS)
        case "sample":
            return result.keys() == arguments["loops"].keys()
        case "run_on":
            begin, end, _ = result
            return begin < end
    return True
