"""NumPy's fastest bit generator, SFC64, into a preallocated array."""

import numpy as np

ALGORITHM = "SFC64"


def prepare(case):
    rng, dtype = np.random.Generator(np.random.SFC64(20230308)), case.dtype
    return lambda out: rng.random(out=out, dtype=dtype)
