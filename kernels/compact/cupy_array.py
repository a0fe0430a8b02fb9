"""CuPy's boolean index, which makes a new array and waits for its length, copied to where it belongs."""

ALGORITHM = "scan"


def run(x, out):
    kept = x[x > 0.5]
    out[: kept.size] = kept
    out[kept.size :] = 0
    return kept.size
