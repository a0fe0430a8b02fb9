"""An empty Python function, compiled to CUDA by cupyx.jit.rawkernel."""

from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def nothing(x):
    pass


def run(x, *, block_size):
    nothing((1,), (block_size,), (x,))
