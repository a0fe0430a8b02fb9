"""NumPy's boolean index into a new array, then a copy into the result."""


def run(x, out):
    kept = x[x > 0.5]
    out[: kept.size] = kept
    out[kept.size :] = 0
    return kept.size
