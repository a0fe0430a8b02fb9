"""CuPy ElementwiseKernel over packs of 16 bytes; one thread computes the remaining elements."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    width = 16 // case.itemsize
    threads = case.blocks(width) * case.block_size
    multiply = cp.ElementwiseKernel(
        f"raw {case.dtype} x, raw {case.dtype} y, int64 n",
        f"raw {case.dtype} out",
        f"""if ({width} * (i + 1) <= n) {{
                Pack a = ((const Pack *)&x[0])[i];
                const Pack b = ((const Pack *)&y[0])[i];
                for (int k = 0; k < {width}; k++) a.lane[k] *= b.lane[k];
                ((Pack *)&out[0])[i] = a;
            }} else
                for (long long k = {width} * i; k < n; k++) out[k] = x[k] * y[k];""",
        "vector_multiply",
        preamble=f"struct alignas(16) Pack {{ {case.ctype} lane[{width}]; }};",
    )
    return lambda x, y, out: multiply(x, y, case.size, out, size=threads, block_size=case.block_size)
