"""NumPy's boolean index, which makes a new array, copied to where it belongs."""


def run(x, out):
    kept = x[x > 0.5]
    out[: kept.size] = kept
    out[kept.size :] = 0
    return kept.size
