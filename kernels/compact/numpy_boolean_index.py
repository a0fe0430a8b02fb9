"""NumPy's boolean index makes a new array. A copy moves the array into `out`."""


def run(x, out):
    selected = x[x > 0.5]
    out[: selected.size] = selected
    out[selected.size :] = 0
    return selected.size
