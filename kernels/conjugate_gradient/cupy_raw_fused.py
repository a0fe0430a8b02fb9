"""CUDA C through cupy.RawModule, three fused passes a step; the host looks at a residual of some steps ago."""

import cupy as cp
import cupyx
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient_fused.cu",)
ELEMENTS = 5  # of the matrix per thread at a time, as in conjugate_gradient_fused.cu
FEW, MANY = 1024, 2048  # threads per multiprocessor, as many as fit: all blocks go through the rows side by side
TOGETHER = 32  # steps launched between two checks of the residual


def prepare(case):
    module = cp.RawModule(path=case.artifact("conjugate_gradient_fused.cu"))
    passes = (module.get_function(f"{name}_{case.dtype}") for name in ("start", "multiply", "update", "direct"))
    start, multiply, update, direct = passes
    rows, block = case.size**2, case.block_size
    processors = cp.cuda.Device().attributes["MultiProcessorCount"]
    few, many = (min(case.blocks(n=rows), most // block * processors) for most in (FEW, MANY))
    residual, direction, product = (cp.empty(rows, case.dtype) for _ in range(3))
    squared, squared_now, curvature = (cp.empty(1, case.dtype) for _ in range(3))
    scratch = cp.empty(many, case.dtype), cp.zeros(1, np.uint32)
    shared_bytes = ELEMENTS * block * case.itemsize
    seen, arrived = cupyx.empty_pinned(1, case.dtype), cp.cuda.Event(disable_timing=True)

    def launch(kernel, blocks, *arguments):
        kernel((blocks,), (block,), (np.int64(rows), *arguments), shared_mem=shared_bytes)

    def step(matrix, x, old, new, back, forth):
        # idea: three launches a step
        launch(multiply, few, *matrix, direction, product, *scratch, curvature, back)
        launch(update, many, old, curvature, product, residual, *scratch, new, forth)
        launch(direct, many, old, curvature, new, residual, direction, x, back)
        # end of idea

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        old, new, steps = squared, squared_now, 0
        back, forth = np.int32(1), np.int32(0)  # directions through the rows, in turn
        launch(start, many, b, x, residual, direction, *scratch, old)
        old.get(out=seen)
        target = relative_residual**2 * seen[0]
        while seen[0] > target and steps < most_steps:
            arrived.record()
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                step((data, indices, indptr), x, old, new, back, forth)
                old, new, back, forth, steps = new, old, forth, back, steps + 1
            arrived.synchronize()  # the residual asked for one round ago: the device is busy with this round
            old.get(out=seen, blocking=False)
        return steps

    run.kernel = multiply
    return run
