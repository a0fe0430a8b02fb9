"""CUDA C, one thread per pixel, precompiled, launched through PyCUDA."""

import pycuda.driver as cuda

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)
SOURCES = ("inside_polygon.cu",)


def prepare(case):
    module = cuda.module_from_file(case.artifact("inside_polygon.cu"))
    kernel = module.get_function("inside_polygon_int32").prepare("PqPqq")
    height, width = case.size, int(case.options["width"]) or case.size
    grid, block = case.blocks(n=(width, height)), (*case.block_size, 1)

    def run(polygon, mask):
        sizes = len(polygon), mask.gpudata, height, width
        kernel.prepared_async_call(grid, block, case.stream, polygon.gpudata, *sizes)

    return run
