"""Numba with explicit copies between pageable host memory and the device: to_device and copy_to_host."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def twice(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = 2 * x[i]


def prepare(case):
    launch = twice[case.blocks(), case.block_size]

    def run(x, out):
        if x.size:
            there = cuda.to_device(x)
            result = cuda.device_array_like(there)
            launch(there, result)
            result.copy_to_host(out)

    return run
