"""numexpr: the expression as a text, in one pass, block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("where(x > 0, x, 0) + log1p(exp(-abs(x)))", out=out)
