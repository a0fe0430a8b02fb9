"""CUDA's own copy of rows that lie apart, cudaMemcpy2DAsync, called through CuPy."""

from cupy.cuda import runtime


def prepare(case):
    stream = case.stream.ptr

    def run(x, out):
        rows, row = out.shape[0], out.strides[0]
        if rows:
            target, source, kind = out.data.ptr, x.data.ptr, runtime.memcpyDeviceToDevice
            runtime.memcpy2DAsync(target, row, source, 3 * row, row, rows, kind, stream)

    return run
