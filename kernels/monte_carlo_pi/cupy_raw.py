"""CUDA C in two launches, precompiled, launched through cupy.RawModule; atomics add up the hits."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cu",)
BLOCKS = 2048  # maximum number of blocks


def prepare(case):
    module = cp.RawModule(path=case.artifact("monte_carlo_pi.cu"))
    count, estimate = module.get_function(f"count_{case.dtype}"), module.get_function("estimate")
    grid, block = (min(case.blocks(), BLOCKS),), (case.block_size,)
    hits, pi = cp.zeros(1, "uint64"), cp.empty((), "float64")

    def run(n, seed):
        count(grid, block, (n, seed, hits))
        estimate((1,), (1,), (n, hits, pi))
        return pi

    return run
