"""A worker's view of the inputs that the verifier has made (accelbench.verify.truth)."""

import math
import mmap

import numpy as np


class Attached:
    """`inputs` by name, read-only; `outputs` as (name, shape, dtype, inout); `again`: whether the kernel asks for the
    results of a second call."""

    def __init__(self, message):
        self.inputs = mapped(message.file, message.layout)
        self.outputs = [(name, tuple(shape), dtype, inout) for name, shape, dtype, inout in message.outputs]
        self.again = message.again


def mapped(file, layout):
    """{name: read-only array or scalar} of a file laid out so: {name: (offset, dtype, shape)}."""
    memory = mmap.mmap(file, 0, mmap.MAP_PRIVATE | mmap.MAP_POPULATE, mmap.PROT_READ)
    return {
        name: np.frombuffer(memory, dtype, math.prod(shape), offset).reshape(shape)[()]
        for name, (offset, dtype, shape) in layout.items()
    }
