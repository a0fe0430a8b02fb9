"""C loop, called through CFFI's API mode."""

SOURCES = ("monte_carlo_pi.c",)


def prepare(case):
    return getattr(case.artifact("monte_carlo_pi.c").lib, f"monte_carlo_pi_{case.dtype}")
