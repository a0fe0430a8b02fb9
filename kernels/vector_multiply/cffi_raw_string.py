"""C loop in a string in the Python file, built and called through CFFI's API mode."""

import cffi

SOURCES = ("cffi_raw_string.py",)

ffibuilder = cffi.FFI()
ffibuilder.cdef("""
void multiply_float64(const double *x, const double *y, double *out, int64_t n);
void multiply_float32(const float *x, const float *y, float *out, int64_t n);
""")
ffibuilder.set_source(
    "raw_string",
    r"""
    #include <stdint.h>

    // idea: the C code is a string that CFFI compiles
    static void multiply_float64(const double *restrict x, const double *restrict y, double *restrict out, int64_t n)
    {
        for (int64_t i = 0; i < n; i++)
            out[i] = x[i] * y[i];
    }
    // end of idea

    static void multiply_float32(const float *restrict x, const float *restrict y, float *restrict out, int64_t n)
    {
        for (int64_t i = 0; i < n; i++)
            out[i] = x[i] * y[i];
    }
    """,
)


def prepare(case):
    extension, array = case.artifact("cffi_raw_string.py"), f"{case.ctype}[]"
    multiply, from_buffer = getattr(extension.lib, f"multiply_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)
