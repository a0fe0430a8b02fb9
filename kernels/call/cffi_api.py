"""CFFI's API mode: the C compiler has made a Python function of the C one."""

SOURCES = ("call.c",)


def prepare(case):
    size, add_one = case.size, case.artifact("call.c").lib.call_float64

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
