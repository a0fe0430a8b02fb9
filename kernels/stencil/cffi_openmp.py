"""C loops with OpenMP threads sharing the rows, called through CFFI's API mode."""

SOURCES = ("stencil.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("stencil.c")
    from_buffer = extension.ffi.from_buffer
    stencil = getattr(extension.lib, f"stencil_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        stencil(from_buffer(array, x), from_buffer(array, out), len(x))

    return run
