"""Pythran: a loop around SplitMix64 of a counter; with OpenMP, every thread has points of its own."""

SOURCES = ("_monte_carlo_pi.py",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return getattr(case.artifact("_monte_carlo_pi.py"), f"estimate_{case.dtype}")
