"""numexpr: an expression of a single variable, copied block by block on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("x", out=out)
