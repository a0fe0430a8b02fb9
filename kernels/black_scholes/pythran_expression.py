"""Pythran: the NumPy expression with SciPy's ndtr, compiled to loops."""

SOURCES = ("_black_scholes.py",)
VARIANTS = {"native": ("-DUSE_XSIMD", "-march=native")}


def prepare(case):
    return case.artifact("_black_scholes.py").black_scholes
