"""The side of the verifier (accelbench.verify) that the coordinator sees: inputs, changes of them, verdicts."""

import math
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace

import numpy as np

from accelbench.errors import InputError
from accelbench.measure import environment
from accelbench.measure.client import Failed
from accelbench.processes import keeper
from accelbench.processes.kept import Kept, package_path
from accelbench.verify.comparison import ErrorMetrics
from accelbench.worker.channel import Channel, Descriptor, Malformed
from accelbench.worker.protocol import Inputs

WIDEST, BEYOND_BYTES = 8, 1 << 10  # results may be of another dtype, so many times as wide, and a little more
KEPT_SHARE = 8  # of the memory, one part in so many is for inputs and references kept for the next repetition


class ProblemInputs:
    """Inputs of one problem and one seed.

    inputs        what a worker attaches
    result_bytes  the most that results, and those of a second call, may take on their way here
    """

    def __init__(self, key, inputs: Inputs):
        self.key, self.inputs = key, replace(inputs, file=Descriptor(inputs.file))
        sizes = [math.prod(shape) * np.dtype(dtype).itemsize for _, shape, dtype, _ in inputs.outputs]
        self.result_bytes = 2 * WIDEST * sum(sizes) + BEYOND_BYTES

    @property
    def nbytes(self):
        """Bytes of the inputs."""
        return os.fstat(self.inputs.file.number).st_size

    def close(self):
        os.close(self.inputs.file.number)


class Verifier:
    """A verifier process, started when it is first asked and again after it has died.

    scratch       folder for the temporary files of kernel.py files
    deadline_s    in which one function of a kernel.py must have come to its end
    memory_bytes  the most the process may fill

    What it is asked raises InputError where a function of a kernel.py fails, Failed where one takes too long, ends the
    process or finds no memory, and where a result is wrong. Several threads may ask.
    """

    def __init__(self, scratch, deadline_s, memory_bytes):
        self._variables, self._deadline_s, self._memory_bytes = environment.temporary(scratch), deadline_s, memory_bytes
        self._secret, self._lock, self._process, self._asked = secrets.randbits(64), threading.Lock(), None, 0

    def given(self, folder, problem, *, seed, which, exact=False):
        """The ProblemInputs of a kernel's problem; `which` counts its seeds, `exact` asks for its exact inputs."""
        described = {"id": problem.id, "size": problem.size, "dtype": problem.dtype, "options": problem.options}
        key = [str(folder.path), described, seed, which, exact]
        return ProblemInputs(key, Inputs(**self._ask(key, "given", *key)))

    def change(self, given):
        """{input: (places, values)} that change its result; {} where none is to be had."""
        return self._ask(given.key, "change", *given.key) or {}

    def arrays(self, given):
        """(inputs, expected results), both by name."""
        return self._ask(given.key, "arrays", *given.key)

    def compare(self, given, answer, changed=False):
        """The ErrorMetrics of the results in a worker's answer."""
        errors = self._ask(given.key, "compare", given.key, answer.results, answer.again, changed)
        return ErrorMetrics(**errors)

    def close(self):
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._channel.close()
            self._progress.close()
            self._process = None

    def _start(self):
        keeper.hide()  # what is asked and answered, and the secret, pass through this process
        ours, theirs = socket.socketpair()
        environment.make_folders(self._variables)
        self._progress = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        with theirs:
            numbers = [theirs.fileno(), self._progress.fileno()]
            self._process = Kept(
                [sys.executable, "-m", "accelbench.verify", *map(str, numbers)],
                passed=numbers,
                memory_bytes=self._memory_bytes,
                victim=500,  # before the coordinator, after workers
                env=os.environ | self._variables | package_path(),
                stdin=subprocess.DEVNULL,
            )
        self._channel = Channel(ours, files=True)
        self._exchange("open", self._memory_bytes // KEPT_SHARE, self._secret)

    def _ask(self, key, name, *arguments):
        with self._lock:
            try:
                if self._process is None:
                    self._start()
                answer = self._exchange(name, *arguments)
            except TimeoutError:
                raise self._broken(key, f"has not ended within {self._deadline_s:.3g} s") from None
            except (EOFError, OSError, Malformed):
                status = self._process.status(1.0)
                how = "is out of order" if status is None else f"ended the process (status {status})"
                raise self._broken(key, how) from None
        match answer:
            case ["ok", value]:
                return value
            case ["wrong_result", [told]]:
                raise Failed("wrong_result", told, alive=True)
            case ["input", [where, problem, remedy]]:
                raise InputError(where, problem, remedy)
        what = f"the inputs and the reference of {key[1]['id']} do not fit into memory"
        raise Failed("out_of_memory", what, alive=True)

    def _exchange(self, name, *arguments):
        self._asked += 1
        deadline = time.monotonic() + self._deadline_s
        self._channel.send(self._asked, [name, *arguments], deadline)
        return self._channel.receive(None, self._asked, deadline, sys.maxsize)[1]

    def _broken(self, key, how):
        """Failed, naming the function of a kernel.py that ran last; the process is gone."""
        function = os.pread(self._progress.fileno(), 64, 0).decode().strip() or "the verifier"
        self.close()
        return Failed("error", f"{key[0]}/kernel.py: {function} {how} for {key[1]['id']}", alive=True)
