"""SciPy's BLAS called directly: gemm of the transposed matrices, for Fortran's order of elements."""

from scipy.linalg.blas import dgemm, sgemm

PARAMETERS = ("threads",)


def prepare(case):
    gemm = {"float64": dgemm, "float32": sgemm}[case.dtype]

    def run(a, b, out):
        if out.size:  # SciPy refuses matrices of no elements
            gemm(1, b.T, a.T, c=out.T, overwrite_c=True)

    return run
