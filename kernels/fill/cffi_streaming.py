"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode: for arrays beyond the caches."""

SOURCES = ("fill_streaming.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("fill_streaming.c")
    from_buffer = extension.ffi.from_buffer
    fill = getattr(extension.lib, f"fill_streaming_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(out):
        fill(from_buffer(array, out), out.size)

    return run
