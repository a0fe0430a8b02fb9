"""A CUDA C kernel that reads the host's page-locked memory over the bus, through PyCUDA's prepared call."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("transfer.cu",)


def convert(x):
    flags = driver.host_alloc_flags.DEVICEMAP
    mapped = driver.pagelocked_empty(max(1, x.size), x.dtype, mem_flags=flags)[: x.size]  # there is none of no bytes
    mapped[:] = x
    return (mapped,)


def prepare(case):
    transfer = driver.module_from_file(case.artifact("transfer.cu")).get_function(f"transfer_{case.dtype}")
    transfer.prepare(("q", "P", "P"))
    n, stream, there = case.size, case.stream, gpuarray.empty(case.size, case.dtype)
    each = 16 // case.itemsize
    grid, block = (max(1, -(-n // (case.block_size * each))), 1), (case.block_size, 1, 1)

    def run(x, out):
        if x.size:  # with unified addressing the device finds mapped memory at the host's address
            transfer.prepared_async_call(grid, block, stream, n, x.ctypes.data, there.gpudata)
        return there

    return run
