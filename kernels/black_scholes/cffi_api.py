"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("black_scholes.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("black_scholes.c"), f"{case.ctype}[]"
    black_scholes, from_buffer = getattr(extension.lib, f"black_scholes_{case.dtype}"), extension.ffi.from_buffer

    def run(price, strike, years, rate, volatility, call, put):
        s, x, t, c, p = (from_buffer(array, numbers) for numbers in (price, strike, years, call, put))
        black_scholes(s, x, t, rate, volatility, c, p, price.size)

    return run
