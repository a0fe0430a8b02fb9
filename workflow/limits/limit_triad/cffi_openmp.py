"""C with OpenMP threads, non-temporal stores and, unless its name says otherwise, prefetching."""

SOURCES = ("limit_triad.c",)
FLAGS = ("-fopenmp", "-march=native")
VARIANTS = {"unprefetched": ("-DAHEAD=0",)}


def prepare(case):
    extension = case.artifact("limit_triad.c")
    from_buffer = extension.ffi.from_buffer
    limit_triad = getattr(extension.lib, f"limit_triad_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, x, y, out):
        limit_triad(a, from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
