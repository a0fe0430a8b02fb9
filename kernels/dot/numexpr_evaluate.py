"""numexpr adds up the products without an array of products, on one thread only."""

import numexpr

ALGORITHM = "in order"


def run(x, y):
    return numexpr.evaluate("sum(x * y)") if x.size else 0.0  # numexpr cannot sum an empty vector
