"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("monte_carlo_pi.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    return getattr(case.artifact("monte_carlo_pi.c").lib, f"monte_carlo_pi_{case.dtype}")
