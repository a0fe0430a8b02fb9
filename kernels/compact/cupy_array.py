"""CuPy's boolean index makes a new array, whose length the host waits for. A copy moves this array into the result."""

ALGORITHM = "scan"


def run(x, out):
    selected = x[x > 0.5]
    out[: selected.size] = selected
    out[selected.size :] = 0
    return selected.size
