"""numexpr: the expression as a text, in one pass, block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(a, x, y, out):
    numexpr.evaluate("a * x + y", out=out)
