"""Warp kernel, one thread per element in blocks of 256; on a CPU, one thread computes all elements."""

import warp as wp


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def multiply(x: wp.array(dtype=real), y: wp.array(dtype=real), out: wp.array(dtype=real)):
        i = wp.tid()
        out[i] = x[i] * y[i]

    return lambda x, y, out: wp.launch(multiply, case.size, inputs=[x, y], outputs=[out])
