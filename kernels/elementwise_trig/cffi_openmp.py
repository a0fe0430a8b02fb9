"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("elementwise_trig.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("elementwise_trig.c")
    from_buffer = extension.ffi.from_buffer
    trig = getattr(extension.lib, f"elementwise_trig_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        trig(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
