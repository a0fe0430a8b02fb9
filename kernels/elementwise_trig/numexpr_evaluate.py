"""numexpr: an expression string, evaluated block by block in one pass on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("sin(x)**2 + cos(x)**2", out=out)
