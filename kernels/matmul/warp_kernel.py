"""A kernel in Python, one thread per element of the product; on a CPU one thread runs all."""

import warp as wp


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def multiply(a: wp.array2d(dtype=real), b: wp.array2d(dtype=real), out: wp.array2d(dtype=real)):
        i, j = wp.tid()
        total = real(0.0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        out[i, j] = total

    return lambda a, b, out: wp.launch(multiply, out.shape, inputs=[a, b], outputs=[out])
