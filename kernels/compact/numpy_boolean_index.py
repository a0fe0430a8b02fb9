"""NumPy's boolean index into a new array, then a copy into the result."""


def run(x, out):
    selected = x[x > 0.5]
    out[: selected.size] = selected
    out[selected.size :] = 0
    return selected.size
