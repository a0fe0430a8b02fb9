"""PyCUDA ElementwiseKernel, one thread per row; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    spmv = ElementwiseKernel(
        f"{real} *y, const {real} *data, const int *indices, const int *indptr, const {real} *x",
        f"""
        {real} sum = 0;
        for (int k = indptr[i]; k < indptr[i + 1]; k++)
            sum += data[k] * x[indices[k]];
        y[i] = sum;
        """,
        "spmv",
    )

    def run(data, indices, indptr, x, y):
        spmv(y, data, indices, indptr, x, stream=case.stream)  # y is first: its length sets the number of threads

    return run
