"""PyOpenCL ElementwiseKernel, whose i is a row: one work-item per row."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    spmv = ElementwiseKernel(
        case.queue.context,
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
        spmv(y, data, indices, indptr, x)  # as many rows as its first array has elements

    return run
