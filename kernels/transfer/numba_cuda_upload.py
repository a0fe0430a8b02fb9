"""copy_to_device: from pageable memory to a preallocated array on the device."""

from numba import cuda


def prepare(case):
    there = cuda.device_array(case.size, case.dtype, stream=case.stream)

    def run(x, out):
        there.copy_to_device(x, stream=case.stream)
        return there

    return run
