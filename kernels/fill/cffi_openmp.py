"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("fill.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("fill.c")
    from_buffer = extension.ffi.from_buffer
    fill = getattr(extension.lib, f"fill_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(out):
        fill(from_buffer(array, out), out.size)

    return run
