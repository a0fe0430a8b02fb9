"""CUDA C through PyCUDA, one thread per output; each call copies the weights to constant memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("convolution.cu"))
    convolution = module.get_function(f"convolution_constant_{case.dtype}").prepare("qiPP")
    constant, capacity = module.get_global(f"convolution_weights_{case.dtype}")
    n, taps, stream = case.size, int(case.options["taps"]), case.stream
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, weights, out):
        if weights.nbytes > capacity:
            raise NotImplementedError(f"constant memory has room for {capacity} bytes of weights")
        driver.memcpy_dtod_async(constant, weights.gpudata, weights.nbytes, stream)
        convolution.prepared_async_call(grid, block, stream, n, taps, x.gpudata, out.gpudata)

    return run
