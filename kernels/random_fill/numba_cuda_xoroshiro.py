"""numba.cuda.random: xoroshiro128+, a generator for each thread, which fills more than one element."""

from numba import cuda
from numba.cuda.random import (
    create_xoroshiro128p_states,
    xoroshiro128p_uniform_float32,
    xoroshiro128p_uniform_float64,
)

PARAMETERS = ("block_size",)
THREADS = 1 << 16  # at most: their states are made one after the other, on the host


@cuda.jit
def fill_float64(states, out):
    thread = cuda.grid(1)
    for i in range(thread, out.size, cuda.gridsize(1)):
        out[i] = xoroshiro128p_uniform_float64(states, thread)


@cuda.jit
def fill_float32(states, out):
    thread = cuda.grid(1)
    for i in range(thread, out.size, cuda.gridsize(1)):
        out[i] = xoroshiro128p_uniform_float32(states, thread)


def prepare(case):
    block = case.block_size
    blocks = max(1, min(case.blocks(), THREADS // block))
    states = create_xoroshiro128p_states(blocks * block, seed=20230308, stream=case.stream)
    fill = {"float64": fill_float64, "float32": fill_float32}[case.dtype]
    fill = fill[blocks, block, case.stream]
    return lambda out: fill(states, out)
