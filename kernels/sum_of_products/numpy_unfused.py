"""NumPy in two passes, the products into an array that is there already, then their sums."""

import numpy as np


def prepare(case):
    products = np.empty((case.size, case.options["columns"]), case.dtype)

    def run(x, y, out):
        np.multiply(x, y, out=products)
        np.sum(products, axis=-1, out=out)

    return run
