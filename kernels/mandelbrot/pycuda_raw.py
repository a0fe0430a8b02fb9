"""CUDA C through PyCUDA's prepared call, one thread per point."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("mandelbrot.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("mandelbrot.cu"))
    mandelbrot = module.get_function(f"mandelbrot_{case.dtype}").prepare("qPPiP")
    launch = case.blocks(), (*case.block_size, 1), case.stream, case.size

    def run(x, y, limit, counts):
        mandelbrot.prepared_async_call(*launch, x.gpudata, y.gpudata, int(limit), counts.gpudata)

    return run
