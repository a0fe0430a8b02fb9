"""Numba CUDA kernel: one block per row finds the maximum and the sum by trees in shared memory."""

import math

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit(device=True)
def largest_of_block(shared, mine):
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[me] = mine
    while active > 1:  # if active is odd, the middle number stays
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] = max(shared[me], shared[me + middle])
        active = middle
    cuda.syncthreads()
    combined = shared[0]
    cuda.syncthreads()  # every thread must read shared[0] before the next tree begins
    return combined


@cuda.jit(device=True)
def sum_of_block(shared, mine):
    me, active = cuda.threadIdx.x, cuda.blockDim.x
    shared[me] = mine
    while active > 1:  # if active is odd, the middle number stays
        middle = (active + 1) // 2
        cuda.syncthreads()
        if me < active - middle:
            shared[me] = shared[me] + shared[me + middle]
        active = middle
    cuda.syncthreads()
    combined = shared[0]
    cuda.syncthreads()  # every thread must read shared[0] before the next tree begins
    return combined


@cuda.jit
def softmax(x, out):
    shared = cuda.shared.array(0, x.dtype)
    row, me, block = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
    # idea: a row stays in its block from its maximum to its quotients
    top, total = x[row, 0], x.dtype.type(0)
    for j in range(me, x.shape[1], block):
        top = max(top, x[row, j])
    top = largest_of_block(shared, top)
    for j in range(me, x.shape[1], block):
        out[row, j] = math.exp(x[row, j] - top)
        total += out[row, j]
    total = sum_of_block(shared, total)
    for j in range(me, x.shape[1], block):
        out[row, j] /= total
    # end of idea


def prepare(case):
    shared_bytes = case.block_size * case.itemsize

    def run(x, out):
        if len(x):  # a grid must not be empty
            softmax[len(x), case.block_size, case.stream, shared_bytes](x, out)

    return run
