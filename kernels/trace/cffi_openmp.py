"""C loop with OpenMP threads, called through CFFI's API mode: waking them takes longer than a short diagonal."""

SOURCES = ("trace.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    extension = case.artifact("trace.c")
    from_buffer = extension.ffi.from_buffer
    trace = getattr(extension.lib, f"trace_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a):
        return trace(from_buffer(array, a), len(a))

    return run
