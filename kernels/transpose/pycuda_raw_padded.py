"""CUDA C through PyCUDA's prepared call, through a tile in shared memory with padded rows."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("transpose_tiled.cu",)
SHARED_MEMORY = 48 * 1024  # bytes that any kernel may have


def prepare(case):
    (bx, by), (tiles, _), n = case.block_size, case.blocks(), case.size
    width = bx + 1
    shared_bytes = bx * width * case.itemsize
    if shared_bytes > SHARED_MEMORY:
        raise NotImplementedError(f"needs {shared_bytes} bytes of shared memory, more than {SHARED_MEMORY}")
    module = driver.module_from_file(case.artifact("transpose_tiled.cu"))
    transpose = module.get_function(f"transpose_tiled_{case.dtype}").prepare("qPPi")
    launch = (tiles, tiles), (bx, by, 1), case.stream, n

    def run(x, out):
        transpose.prepared_async_call(*launch, x.gpudata, out.gpudata, width, shared_size=shared_bytes)

    return run
