"""numexpr.evaluate of a number: the text looked up, its variable found, a loop over one element."""

import numexpr


def prepare(case):
    size = case.size

    def run(x):
        for _ in range(size):
            x = numexpr.evaluate("x + 1")
        return x

    return run
