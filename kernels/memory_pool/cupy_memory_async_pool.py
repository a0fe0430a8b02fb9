"""cupy.cuda.MemoryAsyncPool: the driver's stream-ordered pool (cudaMallocAsync)."""

import cupy as cp


def prepare(case):
    runtime = cp.cuda.runtime
    if not runtime.deviceGetAttribute(runtime.cudaDevAttrMemoryPoolsSupported, cp.cuda.Device().id):
        raise NotImplementedError("this device's driver has no stream-ordered memory pools (cudaMallocAsync)")
    size, pool = case.size, cp.cuda.MemoryAsyncPool()
    return lambda: cp.ndarray(size, cp.uint8, memptr=pool.malloc(size)).nbytes
