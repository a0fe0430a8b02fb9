"""PyCUDA ElementwiseKernel that works out its row and column from one index."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    stencil = ElementwiseKernel(
        f"{real} *out, {real} *x, long rows",
        f"""
            const long row = i / rows, column = i % rows;
            const bool inner = row > 0 && row < rows - 1 && column > 0 && column < rows - 1;
            out[i] = inner ? (x[i] + x[i - rows] + x[i + rows] + x[i - 1] + x[i + 1]) * ({real})0.2 : x[i]
        """,
        "stencil",
    )
    return lambda x, out: stencil(out, x, len(x), stream=case.stream)
