"""The lecture's C loop around rand(), called through CFFI's API mode."""

ALGORITHM = "library"
SOURCES = ("monte_carlo_pi_rand.c",)


def prepare(case):
    return getattr(case.artifact("monte_carlo_pi_rand.c").lib, f"monte_carlo_pi_rand_{case.dtype}")
