"""A separate cupy.cuda.MemoryPool, as set_allocator(pool.malloc) uses it."""

import cupy as cp


def prepare(case):
    size, pool = case.size, cp.cuda.MemoryPool()
    return lambda: cp.ndarray(size, cp.uint8, memptr=pool.malloc(size)).nbytes
