"""cuBLAS's addition of matrices, which can transpose them as well, through cupy.cublas: x.T plus nothing."""

from cupy import cublas


def run(x, out):
    if out.size:  # cuBLAS refuses rows of no numbers
        cublas.geam("T", "T", 1, x, 0, x, out=out)
