"""The verifier (accelbench.verify) as the coordinator calls it: inputs, changes of inputs, comparisons."""

import math
import os
import secrets
import threading
from dataclasses import replace

import numpy as np

from accelbench.measure import environment
from accelbench.processes import keeper
from accelbench.rpc.channel import Descriptor
from accelbench.rpc.messages import ErrorMetrics, InputChange, Inputs, TruthKey
from accelbench.rpc.process import Failed
from accelbench.verify.process import VerifierProcess

WIDEST, BEYOND_BYTES = 8, 1 << 10  # Results may have a dtype up to WIDEST times as wide, and a few bytes more


class ProblemInputs:
    """Inputs of one problem and one seed.

    key           their TruthKey
    inputs        what a worker attaches
    result_bytes  maximum size of the results, and of those of a second call, in an answer
    """

    def __init__(self, key: TruthKey, inputs: Inputs):
        self.key, self.inputs = key, replace(inputs, file=Descriptor(inputs.file))
        sizes = [math.prod(shape) * np.dtype(dtype).itemsize for _, shape, dtype, _ in inputs.outputs]
        self.result_bytes = 2 * WIDEST * sum(sizes) + BEYOND_BYTES

    @property
    def nbytes(self):
        """Bytes of the inputs."""
        return os.fstat(self.inputs.file.number).st_size

    def close(self):
        os.close(self.inputs.file.number)


class Verifier(VerifierProcess):
    """A verifier process that starts when it is first called, and again after it has died.

    scratch       folder for the temporary files of kernel.py files
    deadline_s    maximum time of a function of a kernel.py, in seconds
    memory_bytes  memory limit of the process

    Methods raise InputError if a function of a kernel.py fails. They raise Failed if one takes too long, ends the
    process or finds no memory, and if a result is wrong. Several threads may call them.
    """

    def __init__(self, scratch, deadline_s, memory_bytes):
        keeper.hide()  # what is asked and answered, and the secret, pass through this process
        secret, folders = secrets.randbits(64), environment.temporary(scratch)
        super().__init__(deadline_s, memory_bytes, secret=secret, folders=folders)
        self._lock = threading.Lock()

    def given(self, folder, problem, *, seed, which, exact=False):
        """Return the ProblemInputs of a kernel's problem.

        which  number of the seed among those of the problem; exact: use the kernel's exact inputs
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
        return ProblemInputs(key, self._ask("give", key))

    def change(self, given) -> InputChange:
        """Return the change of inputs that checks make."""
        return self._ask("change", given.key)

    def arrays(self, given):
        """Return ({name: input}, {name: reference result})."""
        return self._ask("show", given.key)

    def compare(self, given, answer, changed=False) -> ErrorMetrics:
        """Return the ErrorMetrics of the results in a worker's answer."""
        return self._ask("compare", given.key, results=answer.results, again=answer.again, changed=changed)

    def _ask(self, name, key, **arguments):
        try:
            with self._lock:
                return self.call(name, key=key, **arguments)
        except Failed as failed:
            outcome, reason = failed.outcome, failed.reason
            if not failed.alive:
                outcome, reason = "error", f"{key.folder}/kernel.py: {reason} for {key.problem}"
            elif outcome == "out_of_memory":
                reason = f"the inputs and the reference of {key.problem} do not fit into memory"
            raise Failed(outcome, reason, alive=True) from None  # the worker
