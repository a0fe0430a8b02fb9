"""Warp kernel, one thread per point, in blocks of 256. On a CPU, one thread computes all points."""

import warp as wp


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def mandelbrot(x: wp.array(dtype=real), y: wp.array(dtype=real), limit: int, counts: wp.array2d(dtype=int)):
        i, j = wp.tid()
        a, b = x[j], y[i]
        re, im, steps = real(0.0), real(0.0), wp.int32(0)
        while steps < limit and re * re + im * im <= real(4.0):
            next_re = re * re - im * im + a
            im = real(2.0) * re * im + b
            re = next_re
            steps += 1
        counts[i, j] = steps

    return lambda x, y, limit, counts: wp.launch(mandelbrot, counts.shape, inputs=[x, y, limit], outputs=[counts])
