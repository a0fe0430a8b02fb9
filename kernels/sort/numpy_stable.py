"""ndarray.sort of a copy by a stable method, so that equal numbers stay in order."""

ALGORITHM = "merge sort"


def run(x, out):
    out[:] = x
    out.sort(kind="stable")
