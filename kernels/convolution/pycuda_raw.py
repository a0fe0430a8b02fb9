"""CUDA C through PyCUDA's prepared call, one thread per output, weights and signal in global memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    module, taps = driver.module_from_file(case.artifact("convolution.cu")), int(case.options["taps"])
    convolve = module.get_function(f"convolution_gather_{case.dtype}").prepare("qiPPP")
    grid, block = (case.blocks(), 1), (case.block_size, 1, 1)

    def run(x, weights, out):
        arrays = x.gpudata, weights.gpudata, out.gpudata
        convolve.prepared_async_call(grid, block, case.stream, case.size, taps, *arrays)

    return run
