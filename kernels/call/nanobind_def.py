"""C function called through nanobind, a C++ template library for bindings."""

SOURCES = (
    "call_nanobind.cpp",
    "call.c",
)


def prepare(case):
    size, add_one = case.size, case.artifact("call_nanobind.cpp").add_one

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
