"""CUDA C in a string, compiled by PyCUDA at run time for this number of taps; the weights in constant memory."""

import numpy as np
from pycuda import driver
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)
CONSTANT_MEMORY = 64 * 1024  # bytes

SOURCE = """
__constant__ REAL weights[TAPS];

__global__ void convolution(long long n, const REAL *x, REAL *out)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        REAL sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += weights[k] * x[i + TAPS - 1 - k];
        out[i] = sum;
    }
}
"""


def prepare(case):
    real, taps = case.ctype, int(case.options["taps"])
    if taps * case.itemsize > CONSTANT_MEMORY:
        raise NotImplementedError(f"{taps} weights exceed {CONSTANT_MEMORY} bytes of constant memory")
    module = SourceModule(SOURCE, options=["-O3", f"-DREAL={real}", f"-DTAPS={taps}"])
    convolution = module.get_function("convolution")
    constant, _ = module.get_global("weights")
    n, grid, block = np.int64(case.size), (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, weights, out):
        driver.memcpy_dtod_async(constant, weights.gpudata, weights.nbytes, case.stream)
        convolution(n, x, out, grid=grid, block=block, stream=case.stream)

    return run
