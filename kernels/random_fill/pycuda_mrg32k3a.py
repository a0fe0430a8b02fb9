"""pycuda.curandom's MRG32k3aRandomNumberGenerator: cuRAND on the device, one generator per thread."""

import numpy as np
from pycuda import gpuarray

ALGORITHM = "MRG32k3a"

try:
    from pycuda.curandom import MRG32k3aRandomNumberGenerator
except AttributeError:  # raised if PyCUDA was built without cuRAND
    MRG32k3aRandomNumberGenerator = None


def seeds(count):
    return gpuarray.to_gpu(np.random.default_rng(20230308).integers(1, 2**31, count, dtype=np.int32))


def prepare(case):
    if MRG32k3aRandomNumberGenerator is None:
        raise NotImplementedError("this PyCUDA was built without cuRAND")
    generator, stream = MRG32k3aRandomNumberGenerator(seeds), case.stream
    return lambda out: generator.fill_uniform(out, stream)
