"""Python compiled by cupyx.jit.rawkernel, one block with shared-memory trees per row."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


def prepare(case):
    real = np.dtype(case.dtype).type

    @jit.rawkernel()
    def softmax(x, columns, out):
        shared = jit.shared_memory(real, None)
        row, me, block = np.int64(jit.blockIdx.x), jit.threadIdx.x, jit.blockDim.x
        # idea: a tree for the maximum, a tree for the sum, and the row read again in between
        top = x[row, 0]
        for j in range(me, columns, block):
            top = max(top, x[row, j])
        shared[me] = top
        active = block
        while active > 1:  # the upper half onto the lower; an odd one out waits
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] = max(shared[me], shared[me + middle])
            active = middle
        jit.syncthreads()
        top = shared[0]
        jit.syncthreads()
        total = real(0)
        for j in range(me, columns, block):
            out[row, j] = cp.exp(x[row, j] - top)
            total += out[row, j]
        shared[me] = total
        # end of idea
        active = block
        while active > 1:
            middle = (active + 1) // 2
            jit.syncthreads()
            if me < active - middle:
                shared[me] += shared[me + middle]
            active = middle
        jit.syncthreads()
        for j in range(me, columns, block):
            out[row, j] /= shared[0]

    columns, shared_bytes = np.uint32(case.options["columns"]), case.block_size * case.itemsize

    def run(x, out):
        if len(x):  # a grid cannot be empty
            softmax((len(x),), (case.block_size,), (x, columns, out), shared_mem=shared_bytes)

    return run
