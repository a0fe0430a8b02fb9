"""cupy.ndarray.fill."""


def run(a, out):
    out.fill(a)
