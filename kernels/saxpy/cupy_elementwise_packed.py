"""CuPy ElementwiseKernel over packs of 16 bytes; one thread takes the remainder."""

import cupy as cp

PARAMETERS = ("block_size",)


def prepare(case):
    width = 16 // case.itemsize
    threads = case.blocks(width) * case.block_size
    saxpy = cp.ElementwiseKernel(
        f"{case.dtype} a, raw {case.dtype} x, raw {case.dtype} y, int64 n",
        f"raw {case.dtype} out",
        f"""if ({width} * (i + 1) <= n) {{
                Pack line = ((const Pack *)&x[0])[i];
                const Pack added = ((const Pack *)&y[0])[i];
                for (int k = 0; k < {width}; k++) line.lane[k] = a * line.lane[k] + added.lane[k];
                ((Pack *)&out[0])[i] = line;
            }} else
                for (long long k = {width} * i; k < n; k++) out[k] = a * x[k] + y[k];""",
        "saxpy",
        preamble=f"struct alignas(16) Pack {{ {case.ctype} lane[{width}]; }};",
    )
    return lambda a, x, y, out: saxpy(a, x, y, case.size, out, size=threads, block_size=case.block_size)
