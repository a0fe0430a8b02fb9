"""numexpr evaluates the expression "x" block by block, on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("x", out=out)
