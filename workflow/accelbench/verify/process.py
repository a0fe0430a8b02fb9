"""The caller's side of the verifier: inputs, changes of inputs, and comparisons of results."""

import math
import os
import secrets
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np

from accelbench.errors import InputError
from accelbench.processes import keeper
from accelbench.processes.supervision import SPIN_BRIEFLY, temporary_folders
from accelbench.rpc.channel import Descriptor
from accelbench.rpc.messages import ErrorMetrics, InputChange, Inputs, TruthKey
from accelbench.rpc.process import Failed, RemoteProcess

START_S = 60.0  # Deadline for starting the verifier, in seconds
KEPT_SHARE = 8  # The verifier caches inputs and references in at most 1 / KEPT_SHARE of its memory limit
WIDEST, BEYOND_BYTES = 8, 1 << 10  # Results may have WIDEST times the declared bytes, plus BEYOND_BYTES


class ProblemInputs:
    """Inputs of one problem and one seed.

    key           TruthKey of the inputs
    inputs        the messages.Inputs from which a worker memory-maps the inputs
    result_bytes  maximum size of the results in an answer, including those of a second call
    """

    def __init__(self, key: TruthKey, inputs: Inputs):
        self.key, self.inputs = key, replace(inputs, file=Descriptor(inputs.file))
        sizes = [math.prod(shape) * np.dtype(dtype).itemsize for _, shape, dtype, _ in inputs.outputs]
        self.result_bytes = 2 * WIDEST * sum(sizes) + BEYOND_BYTES

    def close(self):
        os.close(self.inputs.file.number)


class Verifier:
    """A verifier process (accelbench.verify), started at the first call, and again at the first call after it died.

    deadline_s    maximum time of a call, in seconds
    memory_bytes  memory limit of the process in bytes
    scratch       folder for temporary files of kernel.py files; None if kernels are only examined
    settings      further arguments of subprocess.Popen

    Methods raise InputError if a function of a kernel.py fails. Methods raise Failed if the function takes too long,
    ends the process or runs out of memory, and if a result is wrong. Several threads may call methods.
    """

    def __init__(self, deadline_s, memory_bytes, scratch=None, **settings):
        if scratch is not None:
            keeper.hide()  # workers must not read this process's secret seed and reference results (`arrays`)
        self.deadline_s, self._memory_bytes, self._secret = deadline_s, memory_bytes, secrets.randbits(64)
        self._folders = {} if scratch is None else temporary_folders(scratch)
        self._settings, self._process, self._lock = settings, None, threading.Lock()

    def examine(self, folder, options, sizes):
        """Try the functions of a kernel.py, as verify.examination does.

        If the verifier ends, the reason of the Failed names the function that ran last.
        """
        self._call("examine", folder=str(folder), options=options, sizes=sizes)

    def given(self, folder, problem, *, seed, which, exact=False):
        """Return the ProblemInputs of a kernel's problem.

        which  number of the seed among the seeds of the problem
        exact  whether the inputs come from kernel.py's `exact_inputs`, if it has this function
        """
        key = TruthKey(
            folder=str(folder.path),
            problem=problem.id,
            size=problem.size,
            dtype=problem.dtype,
            options=problem.options,
            seed=seed,
            which=which,
            exact=exact,
        )
        return ProblemInputs(key, self._of("give", key))

    def change(self, given) -> InputChange:
        """Return the InputChange for the second check of results, which uses changed inputs."""
        return self._of("change", given.key)

    def arrays(self, given):
        """Return ({name: input}, {name: reference result})."""
        return self._of("show", given.key)

    def compare(self, given, answer, changed=False) -> ErrorMetrics:
        """Return the ErrorMetrics of the results in a worker's answer."""
        return self._of("compare", given.key, results=answer.results, again=answer.again, changed=changed)

    def close(self):
        """End the process and all processes that it started."""
        if self._process is not None:
            self._process.end()
            self._progress.close()
            self._process = None

    def _of(self, name, key, **arguments):
        """Call the verifier's method `name` for the inputs of `key` and return its answer.

        If the verifier ends or has too little memory, the reason of the Failed names the problem.
        """
        try:
            return self._call(name, key=key, **arguments)
        except Failed as failed:
            outcome, reason = failed.outcome, failed.reason
            if not failed.alive:
                outcome, reason = "error", f"{key.folder}/kernel.py: {reason} for {key.problem}"
            elif outcome == "out_of_memory":
                reason = f"the inputs and the reference of {key.problem} do not fit into memory"
            raise Failed(outcome, reason, alive=True) from None  # `alive` is about the worker, which still runs

    def _call(self, name, **arguments):
        """Return the answer of a method of verify.__main__.VerifierMethods."""
        with self._lock:
            try:
                if self._process is None:
                    self._start()
                return self._process.call(name, self.deadline_s, sys.maxsize, **arguments)
            except Failed as failed:
                if failed.cause:
                    raise InputError(failed.cause, failed.reason, failed.remedy) from None
                if failed.alive:
                    raise
                how = {"timeout": f"takes longer than {self.deadline_s:g} s", "crashed": failed.reason}
                running = os.pread(self._progress.fileno(), 64, 0).decode().strip() or "the verifier"
                self.close()
                reason = f"{running} {how.get(failed.outcome, f'does not work: {failed.reason}')}"
                raise Failed(failed.outcome, reason, alive=False) from None

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
            victim=500,  # if memory runs out, the system kills workers first, then the verifier, then the coordinator
            **self._settings,
        )
        keep_bytes = self._memory_bytes // KEPT_SHARE
        self._process.call("begin", START_S, keep_bytes=keep_bytes, secret=self._secret)
