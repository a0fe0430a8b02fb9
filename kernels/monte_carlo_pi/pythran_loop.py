"""Pythran: a loop around SplitMix64 of a counter; with OpenMP, every thread has points of its own."""

import numpy as np

SOURCES = ("_monte_carlo_pi.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    estimate = getattr(case.artifact("_monte_carlo_pi.py"), f"estimate_{case.dtype}")
    return lambda n, seed: estimate(n, seed.astype(np.int64))  # Pythran takes no number beyond 2**63
