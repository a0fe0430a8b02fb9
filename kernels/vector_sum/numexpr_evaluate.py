"""numexpr's sum, which adds in order, on one thread only."""

import numexpr

ALGORITHM = "in order"


def run(x):
    return numexpr.evaluate("sum(x)") if x.size else 0.0  # numexpr cannot sum an empty vector
