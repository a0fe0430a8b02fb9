"""A kernel in Python, one thread per row; on a CPU one thread runs all."""

import warp as wp

PARAMETERS = {"block_size": (64, 128, 256)}


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def multiply(
        data: wp.array(dtype=real),
        indices: wp.array(dtype=wp.int32),
        indptr: wp.array(dtype=wp.int32),
        x: wp.array(dtype=real),
        y: wp.array(dtype=real),
    ):
        i = wp.tid()
        total = real(0.0)
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total

    return lambda *arrays: wp.launch(multiply, case.size**2, inputs=arrays, block_dim=case.block_size)
