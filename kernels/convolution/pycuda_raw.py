"""CUDA C through PyCUDA's prepared call, one thread per output, weights and signal in global memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("convolution.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("convolution.cu"))
    convolution = module.get_function(f"convolution_gather_{case.dtype}").prepare("qiPPP")
    n, taps, stream = case.size, int(case.options["taps"]), case.stream
    grid, block = (max(1, -(-n // case.block_size)), 1), (case.block_size, 1, 1)

    def run(x, weights, out):
        convolution.prepared_async_call(grid, block, stream, n, taps, x.gpudata, weights.gpudata, out.gpudata)

    run.kernel = convolution
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
