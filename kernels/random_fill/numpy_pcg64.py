"""numpy.random.default_rng(): PCG64, into a preallocated array."""

import numpy as np

ALGORITHM = "PCG64"


def prepare(case):
    rng, dtype = np.random.default_rng(20230308), case.dtype
    return lambda out: rng.random(out=out, dtype=dtype)
