"""CUDA C, one thread per node of an element, compiled ahead, launched through PyCUDA's prepared call."""

from math import comb

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("dg_derivative.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("dg_derivative.cu"))
    dg_derivative = module.get_function(f"dg_derivative_{case.dtype}").prepare("qiPPPP")
    nodes = comb(case.options["order"] + 3, 3)
    launch = (case.blocks(n=case.size * nodes), 1), (case.block_size, 1, 1), case.stream, case.size, nodes

    def run(matrices, u, factors, out):
        dg_derivative.prepared_async_call(*launch, matrices.gpudata, u.gpudata, factors.gpudata, out.gpudata)

    return run
