"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig_packed.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("elementwise_trig_packed.cu"))
    trig = module.get_function(f"elementwise_trig_{case.dtype}").prepare("qPP")
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)
    return lambda x, out: trig.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, out.gpudata)
