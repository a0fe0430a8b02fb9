"""numexpr: an expression that is a variable alone, which it copies block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("x", out=out)
