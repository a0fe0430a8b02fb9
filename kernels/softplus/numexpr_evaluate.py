"""numexpr: an expression string, evaluated block by block in one pass on several threads."""

import numexpr

PARAMETERS = ("threads",)


def run(x, out):
    numexpr.evaluate("where(x > 0, x, 0) + log1p(exp(-abs(x)))", out=out)
