"""CUDA C in one launch, compiled ahead of time, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi_one_launch.cu",)
THREADS = 2048  # per multiprocessor: as many as it holds


def prepare(case):
    module, device = ObjectCode.from_fatbin(case.artifact("monte_carlo_pi_one_launch.cu")), Device()
    kernel, stream = module.get_kernel(f"monte_carlo_pi_{case.dtype}"), case.stream
    most = max(1, THREADS // case.block_size) * device.properties.multiprocessor_count
    shared_bytes = 4 * case.block_size
    config = LaunchConfig(grid=min(case.blocks(), most), block=case.block_size, shmem_size=shared_bytes)
    hits, finished, pi = (device.allocate(n, stream=stream) for n in (8, 4, 8))
    hits.fill(0, stream=stream)
    finished.fill(0, stream=stream)
    pi = StridedMemoryView.from_buffer(pi, (1,), dtype=np.dtype(np.float64))

    def run(n, seed):
        launch(stream, config, kernel, n, seed, hits, finished, pi.ptr)
        return pi

    run.shared_bytes = shared_bytes
    return run
