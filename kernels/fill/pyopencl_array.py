"""pyopencl.array's fill."""


def run(out):
    out.fill(1)
