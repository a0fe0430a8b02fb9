"""Numba-compiled loop over numpy.random.random: its own Mersenne Twister, in double precision."""

import numba
import numpy as np


@numba.njit(cache=True)
def seed(number):
    np.random.seed(number)


@numba.njit(cache=True)
def fill(out):
    for i in range(out.size):
        out[i] = np.random.random()


def prepare(case):
    seed(20230308)
    return fill
