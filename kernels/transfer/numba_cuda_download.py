"""copy_to_host: from the device to a preallocated NumPy array in pageable memory."""

from numba import cuda


def convert(x):
    return (cuda.to_device(x),)


def prepare(case):
    stream = case.stream

    def run(x, out):
        x.copy_to_host(out, stream=stream)
        stream.synchronize()

    return run
