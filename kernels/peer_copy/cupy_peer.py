"""CuPy, peer to peer: a copy between the memories of two GPUs."""

import cupy as cp


def prepare(case):
    if cp.cuda.runtime.getDeviceCount() < 2:
        raise NotImplementedError("two GPUs are needed, but only one is visible")
    with cp.cuda.Device(1):
        received = cp.empty(case.size, case.dtype)

    def run(x, there):
        received.data.copy_from_device_async(x.data, x.nbytes, case.stream)
        return received

    return run
