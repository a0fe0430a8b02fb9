"""CUDA C through PyCUDA, three fused passes per step; the host checks a residual that is some steps old."""

import numpy as np
from pycuda import driver, gpuarray

ALGORITHM = "now and then"
PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient_fused.cu",)
ELEMENTS = 5  # matrix elements per thread and iteration, as in conjugate_gradient_fused.cu
FEW, MANY = 1024, 2048  # threads per multiprocessor in multiply and in other passes; all are resident at once
TOGETHER = 32  # number of steps between two checks of the residual


def prepare(case):
    module = driver.module_from_file(case.artifact("conjugate_gradient_fused.cu"))
    types = {"start": "qPPPPPPP", "multiply": "qPPPPPPPPi", "update": "qPPPPPPPi", "direct": "qPPPPPPi"}
    passes = (module.get_function(f"{name}_{case.dtype}").prepare(given) for name, given in types.items())
    start, multiply, update, direct = passes
    rows, stream, itemsize = case.size**2, case.stream, case.itemsize
    block, processors = case.block_size, driver.Context.get_device().multiprocessor_count
    few, many = (min(case.blocks(n=rows), most // block * processors) for most in (FEW, MANY))
    arrays = [gpuarray.empty(max(rows, 1), case.dtype) for _ in range(3)]
    numbers = [gpuarray.empty(1, case.dtype) for _ in range(3)]
    sums, finished = gpuarray.empty(many, case.dtype), gpuarray.to_gpu(np.zeros(1, np.uint32))
    residual, direction, product = (array.gpudata for array in arrays)
    squared, squared_now, curvature = (number.gpudata for number in numbers)
    scratch = sums.gpudata, finished.gpudata
    shared_bytes = ELEMENTS * block * itemsize
    residual_squared = driver.pagelocked_empty(1, case.dtype)
    arrived = driver.Event(driver.event_flags.DISABLE_TIMING)

    def launch(kernel, blocks, *arguments):
        how = (blocks, 1), (block, 1, 1), stream
        kernel.prepared_async_call(*how, rows, *arguments, shared_size=shared_bytes)

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix = data.gpudata, indices.gpudata, indptr.gpudata
        old, new, steps = squared, squared_now, 0
        back, forth = 1, 0  # whether a pass runs backwards; passes alternate
        launch(start, many, b.gpudata, x.gpudata, residual, direction, *scratch, old)
        driver.memcpy_dtoh_async(residual_squared, old, stream)
        stream.synchronize()
        target = relative_residual**2 * residual_squared[0]
        while residual_squared[0] > target and steps < most_steps:
            arrived.record(stream)
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                # idea: three launches per step
                launch(multiply, few, *matrix, direction, product, *scratch, curvature, back)
                launch(update, many, old, curvature, product, residual, *scratch, new, forth)
                launch(direct, many, old, curvature, new, residual, direction, x.gpudata, back)
                # end of idea
                old, new, back, forth, steps = new, old, forth, back, steps + 1
            arrived.synchronize()  # the previous residual is on the host; the device still computes
            driver.memcpy_dtoh_async(residual_squared, old, stream)
        return steps

    run.kernel = multiply
    run.keepalive = module, arrays, numbers, sums, finished  # without references, these objects would be freed
    return run
