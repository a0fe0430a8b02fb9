"""A function compiled into an extension module by Pythran."""

SOURCES = ("_call.py",)


def prepare(case):
    size, add_one = case.size, case.artifact("_call.py").add_one

    def run(x):
        for _ in range(size):
            x = add_one(x)
        return x

    return run
