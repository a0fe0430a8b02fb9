"""CuPy without a pool: every call calls cudaMalloc and cudaFree."""

import cupy as cp


def prepare(case):
    size = case.size

    def run():
        memory = cp.cuda.MemoryPointer(cp.cuda.Memory(size), 0)  # cupy.empty does this after set_allocator(None)
        return cp.ndarray(size, cp.uint8, memptr=memory).nbytes

    return run
