"""numba.cuda.to_device: to a new array on the device, from pageable memory."""

from numba import cuda


def prepare(case):
    stream = case.stream

    def run(x, out):
        return cuda.to_device(x, stream=stream)

    return run
