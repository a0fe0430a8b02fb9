"""NumPy expression with SciPy's ndtr, compiled to loops by Pythran."""

SOURCES = ("_black_scholes.py",)
VARIANTS = {"simd": ("-DUSE_XSIMD",)}


def prepare(case):
    return case.artifact("_black_scholes.py").black_scholes
