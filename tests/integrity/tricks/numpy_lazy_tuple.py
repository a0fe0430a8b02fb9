"""Returns a tuple that computes its only element during iteration."""

import numpy as np


class Lazy(tuple):
    def __len__(self):
        return 1

    def __iter__(self):
        yield np.multiply(self.x, 2.0)


def run(x, y):
    lazy = Lazy()
    lazy.x = x
    return lazy
