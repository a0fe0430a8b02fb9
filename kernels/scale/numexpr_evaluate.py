"""numexpr: an expression string, evaluated block by block in one pass on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(factor, x, y):
    numexpr.evaluate("factor * x", out=y)
