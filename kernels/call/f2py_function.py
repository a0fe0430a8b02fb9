"""Fortran function called through f2py: a compiled wrapper converts the argument."""

SOURCES = ("call.f90",)


def prepare(case):
    size, add_one = case.size, case.artifact("call.f90").add_one

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
