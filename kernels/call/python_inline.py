"""x + 1 in a plain Python loop, no call at all: what the loop costs."""


def prepare(case):
    size = case.size

    def run(x):
        x = float(x)
        for _ in range(size):
            x = x + 1
        return x

    return run
