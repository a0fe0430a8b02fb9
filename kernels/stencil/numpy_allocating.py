"""The formula in NumPy, which makes five new arrays in every call."""


def run(x, out):
    mean = (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 5
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
    out[1:-1, 1:-1] = mean
