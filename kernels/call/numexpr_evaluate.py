"""numexpr.evaluate of a scalar: each call looks up the expression and the variable, then loops over one element."""

import numexpr


def prepare(case):
    size = case.size

    def run(x):
        for _ in range(size):
            x = numexpr.evaluate("x + 1")
        return x

    return run
