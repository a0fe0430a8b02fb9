"""CuPy ElementwiseKernel: each thread draws a part of the points by SplitMix64; cupy.sum adds up the hits."""

import cupy as cp

PARAMETERS = ("block_size",)
THREADS = 1 << 18  # maximum number of threads
PREAMBLE = """
__device__ unsigned long long mix(unsigned long long z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
"""
OPERATION = """
const unsigned long long start = mix(seed), golden = 0x9e3779b97f4a7c15;
int mine = 0;
// idea: a thread counts the hits of points with a stride of the grid's size
for (long long k = i; k < n; k += _ind.size()) {
    POINT;
    mine += x * x + y * y < 1;
}
// end of idea
hits = mine;
"""
POINT = {
    "float64": """
    const double x = __longlong_as_double(mix(start + 2 * k * golden) >> 12 | 0x3ff0000000000000) - 1;
    const double y = __longlong_as_double(mix(start + (2 * k + 1) * golden) >> 12 | 0x3ff0000000000000) - 1""",
    "float32": """
    const unsigned long long bits = mix(start + k * golden);
    const float x = (int)(bits >> 40) * 0x1p-24f, y = (int)((unsigned)bits >> 8) * 0x1p-24f""",
}


def prepare(case):
    operation = OPERATION.replace("POINT", POINT[case.dtype])
    count = cp.ElementwiseKernel("uint64 seed, int64 n", "int64 hits", operation, "monte_carlo_pi", preamble=PREAMBLE)

    def run(n, seed):
        hits = count(seed, n, size=min(max(int(n), 1), THREADS), block_size=case.block_size)
        return hits.sum() * (4 / max(n, 1))

    return run
