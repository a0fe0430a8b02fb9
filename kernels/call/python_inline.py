"""x + 1 in a plain Python loop without any call: the cost of the loop."""


def prepare(case):
    size = case.size

    def run(x):
        x = float(x)
        for _ in range(size):
            x = x + 1
        return x

    return run
