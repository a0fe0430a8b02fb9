"""A plain Python function."""


def add_one(x):
    return x + 1


def prepare(case):
    size = case.size

    def run(x):
        x = float(x)
        for _ in range(size):
            x = add_one(x)
        return x

    return run
