"""numexpr: the sum of an expression without an array of products; numexpr sums on one thread only."""

import numexpr

ALGORITHM = "in order"


def run(x, y):
    return numexpr.evaluate("sum(x * y)") if x.size else 0.0  # numexpr cannot sum an empty vector
