"""OpenCL's own copy of rows that lie apart, clEnqueueCopyBufferRect."""

import pyopencl as cl


def prepare(case):
    if "PoCL" in case.queue.device.platform.version:
        raise NotImplementedError("PoCL crashes where it copies rectangles between parts of buffers")

    def run(x, out):
        rows, row = out.shape[0], out.strides[0]
        if rows:
            # Not the last row: what lies between it and the next one would have to be in the buffer as well.
            corner, region, last = (0, 0, 0), (row, rows - 1, 1), (rows - 1) * row
            if rows > 1:
                apart = {"src_pitches": (3 * row,), "dst_pitches": (row,)}
                cl.enqueue_copy(x.queue, out.data, x.data, src_origin=corner, dst_origin=corner, region=region, **apart)
            cl.enqueue_copy(x.queue, out.data, x.data, src_offset=3 * last, dst_offset=last, byte_count=row)

    return run
