"""Warp kernel, one thread per element in blocks of 256; a CPU copies all elements in one thread."""

import warp as wp


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def copy(x: wp.array(dtype=real), out: wp.array(dtype=real)):
        i = wp.tid()
        out[i] = x[i]

    return lambda x, out: wp.launch(copy, case.size, inputs=[x], outputs=[out])
