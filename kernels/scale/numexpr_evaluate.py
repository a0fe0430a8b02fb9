"""numexpr: the expression as a text, in one pass, block by block, on threads."""

import numexpr

PARAMETERS = ("threads",)


def run(factor, x, y):
    numexpr.evaluate("factor * x", out=y)
