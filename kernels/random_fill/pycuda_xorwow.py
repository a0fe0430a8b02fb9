"""pycuda.curandom's XORWOWRandomNumberGenerator: cuRAND on the device, one generator per thread."""

import numpy as np
from pycuda import gpuarray

ALGORITHM = "XORWOW"

try:
    from pycuda.curandom import XORWOWRandomNumberGenerator
except AttributeError:  # raised if PyCUDA was built without cuRAND
    XORWOWRandomNumberGenerator = None


def seeds(count):
    return gpuarray.to_gpu(np.random.default_rng(20230308).integers(1, 2**31, count, dtype=np.int32))


def prepare(case):
    if XORWOWRandomNumberGenerator is None:
        raise NotImplementedError("this PyCUDA was built without cuRAND")
    generator, stream = XORWOWRandomNumberGenerator(seeds), case.stream
    return lambda out: generator.fill_uniform(out, stream)
