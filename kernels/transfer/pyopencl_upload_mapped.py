"""A buffer of the device's mapped into the host's memory, filled there, and given back."""

import pyopencl as cl
import pyopencl.array


def prepare(case):
    queue, size, dtype, flags = case.queue, case.size, case.dtype, cl.mem_flags
    there = pyopencl.array.empty(
        queue,
        size,
        dtype,
        allocator=lambda nbytes: cl.Buffer(queue.context, flags.READ_WRITE | flags.ALLOC_HOST_PTR, nbytes),
    )

    def run(x, out):
        if x.size:  # OpenCL refuses to map nothing
            mapped, _ = cl.enqueue_map_buffer(queue, there.data, cl.map_flags.WRITE_INVALIDATE_REGION, 0, size, dtype)
            mapped[:] = x
            mapped.base.release(queue)
        return there

    return run
