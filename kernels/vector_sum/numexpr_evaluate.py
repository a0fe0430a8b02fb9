"""numexpr: additions in order; sums are for one thread alone."""

import numexpr

ALGORITHM = "in order"


def run(x):
    return numexpr.evaluate("sum(x)") if x.size else 0.0  # numexpr has no sum of no elements
