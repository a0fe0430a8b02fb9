"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("cumsum.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "simd": ("-fopenmp-simd",), "native": ("-fopenmp-simd", "-march=native")}


def prepare(case):
    extension = case.artifact("cumsum.c")
    from_buffer = extension.ffi.from_buffer
    cumsum = getattr(extension.lib, f"cumsum_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        cumsum(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
