"""The side of the verifier (accelbench.verify) that the coordinator sees: inputs, changes of them, verdicts."""

import math
import os
import secrets
import threading
from dataclasses import replace

import numpy as np

from accelbench.errors import WrongResult
from accelbench.measure import environment
from accelbench.measure.client import Failed
from accelbench.processes import keeper
from accelbench.rpc.channel import Descriptor
from accelbench.rpc.messages import Inputs
from accelbench.rpc.truth import Change, Compare, ErrorMetrics, Give, InputChange, Show, TruthArrays, TruthKey
from accelbench.verify.process import Broken, VerifierProcess

WIDEST, BEYOND_BYTES = 8, 1 << 10  # results may be of another dtype, so many times as wide, and a little more


class ProblemInputs:
    """Inputs of one problem and one seed.

    key           the TruthKey of what they are
    inputs        what a worker attaches
    result_bytes  the most that results, and those of a second call, may take on their way here
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


class Verifier:
    """A verifier process, started when it is first asked and again after it has died.

    scratch       folder for the temporary files of kernel.py files
    deadline_s    in which one function of a kernel.py must have come to its end
    memory_bytes  the most the process may fill

    What it is asked raises InputError where a function of a kernel.py fails, Failed where one takes too long, ends the
    process or finds no memory, and where a result is wrong. Several threads may ask.
    """

    def __init__(self, scratch, deadline_s, memory_bytes):
        keeper.hide()  # what is asked and answered, and the secret, pass through this process
        folders = environment.temporary(scratch)
        self.process = VerifierProcess(deadline_s, memory_bytes, secret=secrets.randbits(64), folders=folders)
        self._lock = threading.Lock()

    def given(self, folder, problem, *, seed, which, exact=False):
        """The ProblemInputs of a kernel's problem; `which` counts its seeds, `exact` asks for its exact inputs."""
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
        return ProblemInputs(key, self._ask(Give(key)))

    def change(self, given) -> InputChange:
        """What may change of its inputs."""
        return self._ask(Change(given.key))

    def arrays(self, given) -> TruthArrays:
        """Its inputs and what is right for them."""
        return self._ask(Show(given.key))

    def compare(self, given, answer, changed=False) -> ErrorMetrics:
        """Those of the results in a worker's answer."""
        return self._ask(Compare(given.key, answer.results, answer.again, changed))

    def close(self):
        """End the process."""
        self.process.close()

    def _ask(self, question):
        key = question.key
        try:
            with self._lock:
                return self.process.call(question)
        except WrongResult as wrong:
            raise Failed("wrong_result", str(wrong), alive=True) from None
        except MemoryError:
            what = f"the inputs and the reference of {key.problem} do not fit into memory"
            raise Failed("out_of_memory", what, alive=True) from None
        except Broken as broken:
            raise Failed("error", f"{key.folder}/kernel.py: {broken} for {key.problem}", alive=True) from None
