"""CUDA C through cuda.core, one thread per number, counted in global memory by atomics."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("histogram.cu",)


def prepare(case):
    histogram = ObjectCode.from_fatbin(case.artifact("histogram.cu")).get_kernel(f"histogram_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    bins = np.int32(2 ** int(case.options["bits"]))

    def run(x, counts):
        counts.exporting_obj.fill(0, stream=case.stream)
        launch(case.stream, config, histogram, n, bins, x.ptr, counts.ptr)

    return run
