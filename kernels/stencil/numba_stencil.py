"""numba.stencil: one line names a point's neighbours, the library makes the loops; then the border, which it clears."""

import numba


@numba.stencil
def mean(x, fifth):
    return (x[0, 0] + x[-1, 0] + x[1, 0] + x[0, -1] + x[0, 1]) * fifth


@numba.njit(cache=True)
def run(x, out):
    if len(x) > 2:
        mean(x, x.dtype.type(0.2), out=out)
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
