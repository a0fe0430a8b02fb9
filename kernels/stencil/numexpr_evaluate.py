"""numexpr: the mean of five shifted slices in one pass, block by block, on threads; then the border."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    slices = {"x": x[1:-1, 1:-1], "n": x[:-2, 1:-1], "s": x[2:, 1:-1], "w": x[1:-1, :-2], "e": x[1:-1, 2:]}
    numexpr.evaluate("(x + n + s + w + e) / 5", slices, out=out[1:-1, 1:-1])
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
