"""CUDA C, a thread per 16 pixels of a row, compiled ahead of time, launched through PyCUDA."""

import pycuda.driver as cuda

PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cu",)
RUN = 16  # pixels, as in inside_polygon.cu


def prepare(case):
    module = cuda.module_from_file(case.artifact("inside_polygon.cu"))
    kernel = module.get_function("inside_polygon_int32").prepare("PqPqq")
    block_x, block_y = case.block_size

    def run(polygon, mask):
        height, width = mask.shape
        grid = max(1, -(-width // (RUN * block_x))), max(1, -(-height // block_y))
        sizes = len(polygon), mask.gpudata, height, width
        kernel.prepared_async_call(grid, (block_x, block_y, 1), case.stream, polygon.gpudata, *sizes)

    run.kernel = kernel
    return run
