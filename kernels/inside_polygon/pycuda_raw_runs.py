"""CUDA C, one thread per 16 pixels of a row, precompiled, launched through PyCUDA."""

import pycuda.driver as cuda

ALGORITHM = "runs of pixels"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon_runs.cu",)
RUN = 16  # pixels per run, as in inside_polygon_runs.cu


def prepare(case):
    module = cuda.module_from_file(case.artifact("inside_polygon_runs.cu"))
    kernel = module.get_function("inside_polygon_int32").prepare("PqPqq")
    height, width = case.size, int(case.options["width"]) or case.size
    grid, block = case.blocks((RUN, 1), (width, height)), (*case.block_size, 1)

    def run(polygon, mask):
        sizes = len(polygon), mask.gpudata, height, width
        kernel.prepared_async_call(grid, block, case.stream, polygon.gpudata, *sizes)

    return run
