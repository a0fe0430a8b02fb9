"""The formula as a NumPy expression. Its result is a new array, which is copied into `out`."""


def run(x, out):
    mean = (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 5
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
    out[1:-1, 1:-1] = mean
