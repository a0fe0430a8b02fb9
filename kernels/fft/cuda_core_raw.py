"""Stockham's algorithm in CUDA C through cuda.core, a launch for each stage, one thread per two elements."""

import numpy as np
from cuda.core import Buffer, Device, LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("fft.cu",)


def prepare(case):
    n, stream = case.size, case.stream
    if n < 2 or n & (n - 1):
        raise NotImplementedError("powers of two alone, from 2 on")
    stage = ObjectCode.from_fatbin(case.artifact("fft.cu")).get_kernel(f"fft_{case.dtype}")
    turns = np.exp(-2j * np.pi / n * np.arange(n // 2)).astype(case.dtype)
    roots, scratch = (Device().allocate(k * case.itemsize, stream=stream) for k in (n // 2, n))
    roots.copy_from(Buffer.from_handle(turns.ctypes.data, turns.nbytes), stream=stream)
    stream.sync()
    config, lengths = LaunchConfig(grid=case.blocks(2), block=case.block_size), 2 ** np.arange(n.bit_length() - 1)

    def run(x, out):
        source, target, other = x.ptr, *((out.ptr, scratch) if len(lengths) % 2 else (scratch, out.ptr))
        for length in lengths:  # from one array to the other and back, so as to end in out
            launch(stream, config, stage, np.int64(n), length, source, target, roots)
            source, target, other = target, other, target

    return run
