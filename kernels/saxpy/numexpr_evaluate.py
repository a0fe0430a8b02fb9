"""numexpr: an expression string, evaluated block by block in one pass on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(a, x, y, out):
    numexpr.evaluate("a * x + y", out=out)
