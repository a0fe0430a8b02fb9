"""Rust loop, called through CFFI."""

import cffi

PARAMETERS = ("threads",)
SOURCES = ("black_scholes.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    ffi, array, threads = cffi.FFI(), f"{case.ctype}[]", case.threads
    real = f"{case.ctype} "
    inputs, outputs = f"{real}*price, {real}*strike, {real}*years", f"{real}*call, {real}*put"
    numbers = f"{real}rate, {real}volatility"
    ffi.cdef(f"void black_scholes_{case.dtype}({inputs}, {numbers}, {outputs}, size_t n, size_t threads);")
    library = ffi.dlopen(case.artifact("black_scholes.rs"))
    black_scholes, from_buffer = getattr(library, f"black_scholes_{case.dtype}"), ffi.from_buffer

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (from_buffer(array, numbers) for numbers in (price, strike, years, call, put))
        black_scholes(s, x, t, rate, volatility, c, p, price.size, threads)

    run.library = library  # keeps the library open; closing it would unload its functions
    return run
