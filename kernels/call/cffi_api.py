"""C function called through CFFI's API mode: a compiled wrapper converts the argument."""

SOURCES = ("call.c",)


def prepare(case):
    size, add_one = case.size, case.artifact("call.c").lib.call_float64

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
