"""CUDA C, one thread per node of an element, precompiled, launched through cupy.RawModule."""

from math import comb

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("dg_derivative.cu",)


def prepare(case):
    dg_derivative = cp.RawModule(path=case.artifact("dg_derivative.cu")).get_function(f"dg_derivative_{case.dtype}")
    nodes = comb(case.options["order"] + 3, 3)
    grid, block, shape = (case.blocks(n=case.size * nodes),), (case.block_size,), (case.size, np.int32(nodes))
    return lambda matrices, u, factors, out: dg_derivative(grid, block, (*shape, matrices, u, factors, out))
