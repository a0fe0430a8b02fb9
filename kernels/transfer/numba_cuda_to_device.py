"""numba.cuda.to_device: from pageable memory to a new array on the device."""

from numba import cuda


def prepare(case):
    return lambda x, out: cuda.to_device(x, stream=case.stream)
