"""ndarray.sort of a copy by merging, so that equal numbers stay in order."""


def run(x, out):
    out[:] = x
    out.sort(kind="stable")
