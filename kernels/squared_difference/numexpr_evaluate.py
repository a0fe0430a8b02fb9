"""numexpr: the expression as a text, in one pass, block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, y, out):
    numexpr.evaluate("(x - y)**2", out=out)
