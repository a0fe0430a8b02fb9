"""The whole solver in C, called once through CFFI's out-of-line API mode."""

import numpy as np

SOURCES = ("conjugate_gradient.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension = case.artifact("conjugate_gradient.c")
    buffer = extension.ffi.from_buffer
    solve = getattr(extension.lib, f"conjugate_gradient_{case.dtype}")
    reals = f"{case.ctype}[]"
    integers = "int32_t[]"
    scratch = np.empty(3 * case.size**2, case.dtype)

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix = buffer(reals, data), buffer(integers, indices), buffer(integers, indptr)
        vectors = buffer(reals, x), buffer(reals, scratch)
        return solve(b.size, *matrix, buffer(reals, b), relative_residual, most_steps, *vectors)

    return run
