"""JAX's operators without jax.jit: three programs, three new arrays each time."""

PARAMETERS = ("threads",)


def run(a, x, b, y, z):
    return a * x + b * y
