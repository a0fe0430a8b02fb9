"""CuPy's boolean index makes a new array, and the host waits for its length. A copy moves the array into `out`."""

ALGORITHM = "scan"


def run(x, out):
    selected = x[x > 0.5]
    out[: selected.size] = selected
    out[selected.size :] = 0
    return selected.size
