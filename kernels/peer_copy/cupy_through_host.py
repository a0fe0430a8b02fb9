"""CuPy, through page-locked host memory: a download from one GPU, an upload to the other."""

import cupy as cp
import cupyx


def prepare(case):
    if cp.cuda.runtime.getDeviceCount() < 2:
        raise NotImplementedError("two GPUs are needed, but only one is visible")
    with cp.cuda.Device(1):
        received = cp.empty(case.size, case.dtype)
    pinned = cupyx.empty_pinned(case.size, case.dtype)

    def run(x, there):
        x.get(case.stream, out=pinned, blocking=False)
        received.set(pinned, case.stream)
        return received

    return run
