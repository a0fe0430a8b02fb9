"""PyTorch's boolean index, which makes a new tensor and waits for its length, copied to where it belongs."""

PARAMETERS = ("threads",)


def run(x, out):
    kept = x[x > 0.5]
    count = len(kept)
    out[:count] = kept
    out[count:] = 0
    return count
