"""CUDA C through PyCUDA's prepared call, a histogram per block in shared memory, which it adds to the whole one."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("histogram_privatised.cu",)
THREADS = 2048  # per multiprocessor at most: all are resident at once, and each has much to count
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    module, bins = driver.module_from_file(case.artifact("histogram_privatised.cu")), 2 ** int(case.options["bits"])
    shared_bytes = 4 * bins
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    histogram = module.get_function(f"histogram_privatised_{case.dtype}").prepare("qiPP")
    most = THREADS // case.block_size * driver.Context.get_device().multiprocessor_count
    launch = (min(case.blocks(), most), 1), (case.block_size, 1, 1), case.stream, case.size, bins

    def run(x, counts):
        driver.memset_d32_async(counts.gpudata, 0, bins, case.stream)
        histogram.prepared_async_call(*launch, x.gpudata, counts.gpudata, shared_size=shared_bytes)

    return run
