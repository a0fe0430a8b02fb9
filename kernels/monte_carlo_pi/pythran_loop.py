"""Pythran-compiled loop around SplitMix64 of a counter; with OpenMP, threads share the points."""

import numpy as np

SOURCES = ("_monte_carlo_pi.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    estimate = getattr(case.artifact("_monte_carlo_pi.py"), f"estimate_{case.dtype}")
    return lambda n, seed: estimate(n, seed.astype(np.int64))  # Pythran accepts no integers above 2**63
