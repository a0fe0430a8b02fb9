"""cupy.fuse: the additions over shifted slices made one kernel, whose new array is copied to the inner points."""

import cupy as cp


@cp.fuse(kernel_name="stencil")
def mean(centre, above, below, before, after):
    return (centre + above + below + before + after) * 0.2


def run(x, out):
    out[1:-1, 1:-1] = mean(x[1:-1, 1:-1], x[:-2, 1:-1], x[2:, 1:-1], x[1:-1, :-2], x[1:-1, 2:])
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
