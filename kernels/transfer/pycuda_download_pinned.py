"""GPUArray.get_async: from the device to page-locked memory."""

from pycuda import driver, gpuarray


def convert(x):
    return (gpuarray.to_gpu(x),)


def prepare(case):
    pinned = driver.pagelocked_empty(max(1, case.size), case.dtype)[: case.size]  # 0 bytes cannot be allocated

    def run(x, out):
        if x.size:
            x.get_async(case.stream, pinned)
            case.stream.synchronize()
        return pinned

    return run
