"""An empty CUDA C kernel, compiled ahead, through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("launch.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("launch.cu"))
    nothing = module.get_function(f"launch_{case.dtype}")
    nothing.prepare("P")
    grid, block, stream = (1, 1), (case.block_size, 1, 1), case.stream

    def run(x):
        nothing.prepared_async_call(grid, block, stream, x.gpudata)

    run.kernel = nothing
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
