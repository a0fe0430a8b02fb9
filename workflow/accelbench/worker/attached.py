"""A worker's view of the inputs and expected results that its coordinator shares (accelbench.measure.inputs)."""

import mmap
import os

import numpy as np


class Attached:
    """Read-only: `inputs`, `expected` and `tolerance` by name, `outputs` as (name, shape, dtype, inout); `judged` says
    where the kernel's own judgement is to be found, None where it has none."""

    def __init__(self, message):
        file = os.open(message["path"], os.O_RDONLY)
        try:
            memory = mmap.mmap(file, message["nbytes"], mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ)
        finally:
            os.close(file)
        self.inputs, self.expected, self.tolerance = {}, {}, {}
        for name, (offset, dtype, shape) in message["layout"].items():
            count = int(np.prod(shape, dtype=np.int64))
            array = np.frombuffer(memory, dtype, count, offset).reshape(shape)
            role, _, name = name.partition(":")
            getattr(self, "inputs" if role == "input" else role)[name] = array
        self.outputs = [(name, tuple(shape), dtype, inout) for name, shape, dtype, inout in message["outputs"]]
        self.judged = message["judged"]
