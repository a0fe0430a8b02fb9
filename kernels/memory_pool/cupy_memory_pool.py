"""A separate cupy.cuda.MemoryPool, called as CuPy calls it after set_allocator(pool.malloc)."""

import cupy as cp


def prepare(case):
    size, pool = case.size, cp.cuda.MemoryPool()
    return lambda: cp.ndarray(size, cp.uint8, memptr=pool.malloc(size)).nbytes
