"""CUDA C through cupy.RawModule, three fused passes a step; the host looks at a residual of some steps ago."""

import cupy as cp
import cupyx
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient.cu",)
ELEMENTS = 5  # of the matrix a thread at a time, as in conjugate_gradient.cu
THREADS = 8192  # per multiprocessor at most: several rounds of blocks, so that none is left with the last one alone
TOGETHER = 32  # steps launched between two looks


def prepare(case):
    module = cp.RawModule(path=case.artifact("conjugate_gradient.cu"))
    passes = (module.get_function(f"{name}_{case.dtype}") for name in ("start", "multiply", "update", "direct"))
    start, multiply, update, direct = passes
    rows, block = case.size**2, case.block_size
    most = THREADS // block * cp.cuda.Device().attributes["MultiProcessorCount"]
    blocks = max(1, min(-(-rows // block), most))
    n, grid, threads = np.int64(rows), (blocks,), (block,)
    residual, direction, product = (cp.empty(rows, case.dtype) for _ in range(3))
    squared, squared_now, curvature = (cp.empty(1, case.dtype) for _ in range(3))
    scratch = cp.empty(blocks, case.dtype), cp.zeros(1, np.uint32)
    shared_bytes = ELEMENTS * block * np.dtype(case.dtype).itemsize
    seen, arrived = cupyx.empty_pinned(1, case.dtype), cp.cuda.Event(disable_timing=True)

    def step(data, indices, indptr, x, old, new):
        matrix = data, indices, indptr
        multiply(grid, threads, (n, *matrix, direction, product, *scratch, curvature), shared_mem=shared_bytes)
        vectors = direction, product, x, residual
        update(grid, threads, (n, old, curvature, *vectors, *scratch, new), shared_mem=shared_bytes)
        direct(grid, threads, (n, old, new, residual, direction))

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        old, new, steps = squared, squared_now, 0
        start(grid, threads, (n, b, x, residual, direction, *scratch, old), shared_mem=shared_bytes)
        old.get(out=seen)
        target = relative_residual**2 * seen[0]
        while seen[0] > target and steps < most_steps:
            arrived.record()
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                step(data, indices, indptr, x, old, new)
                old, new, steps = new, old, steps + 1
            arrived.synchronize()  # what was asked for a round ago: the device is busy with this one
            old.get(out=seen, blocking=False)
        return steps

    run.kernel, run.shared_bytes = multiply, shared_bytes
    return run
