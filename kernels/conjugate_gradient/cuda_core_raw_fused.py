"""CUDA C through cuda.core, three fused passes a step; the host looks at a residual of some steps ago."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient_fused.cu",)
ELEMENTS = 5  # of the matrix per thread at a time, as in conjugate_gradient_fused.cu
FEW, MANY = 1024, 2048  # threads per multiprocessor, as many as fit: all blocks go through the rows side by side
TOGETHER = 32  # steps launched between two checks of the residual


def prepare(case):
    module, device, stream = ObjectCode.from_fatbin(case.artifact("conjugate_gradient_fused.cu")), Device(), case.stream
    passes = (module.get_kernel(f"{name}_{case.dtype}") for name in ("start", "multiply", "update", "direct"))
    start, multiply, update, direct = passes
    rows, block, processors = case.size**2, case.block_size, device.properties.multiprocessor_count
    few, many = (min(case.blocks(n=rows), most // block * processors) for most in (FEW, MANY))
    shared_bytes = ELEMENTS * block * case.itemsize
    fewer, more = (LaunchConfig(grid=blocks, block=block, shmem_size=shared_bytes) for blocks in (few, many))
    lengths = [max(rows, 1)] * 3 + [1] * 3 + [many]
    arrays = (device.allocate(length * case.itemsize, stream=stream) for length in lengths)
    residual, direction, product, squared, squared_now, curvature, sums = arrays
    finished = device.allocate(4, stream=stream)
    finished.fill(0, stream=stream)
    scratch = sums, finished
    landing, arrived = LegacyPinnedMemoryResource().allocate(case.itemsize), device.create_event()
    seen = np.from_dlpack(landing).view(case.dtype)

    def step(matrix, x, old, new, back, forth):
        # idea: three launches a step
        launch(stream, fewer, multiply, np.int64(rows), *matrix, direction, product, *scratch, curvature, back)
        launch(stream, more, update, np.int64(rows), old, curvature, product, residual, *scratch, new, forth)
        launch(stream, more, direct, np.int64(rows), old, curvature, new, residual, direction, x, back)
        # end of idea

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        old, new, steps = squared, squared_now, 0
        back, forth = np.int32(1), np.int32(0)  # directions through the rows, in turn
        launch(stream, more, start, np.int64(rows), b.ptr, x.ptr, residual, direction, *scratch, old)
        old.copy_to(landing, stream=stream)
        stream.sync()
        target = relative_residual**2 * seen[0]
        while seen[0] > target and steps < most_steps:
            stream.record(arrived)
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                step((data.ptr, indices.ptr, indptr.ptr), x.ptr, old, new, back, forth)
                old, new, back, forth, steps = new, old, forth, back, steps + 1
            arrived.sync()  # the residual asked for one round ago: the device is busy with this round
            old.copy_to(landing, stream=stream)
        return steps

    run.kernel, run.shared_bytes = multiply, shared_bytes
    return run
