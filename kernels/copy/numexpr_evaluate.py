"""numexpr: an expression of one variable alone, which is copied block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("x", out=out)
