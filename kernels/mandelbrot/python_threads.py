"""Plain Python loops in a pool of threads that share the rows. The threads run in parallel only without the GIL."""

from concurrent.futures import ThreadPoolExecutor

PARAMETERS = ("threads",)


def steps(a, b, limit):
    re = im = 0.0
    step = 0
    while step < limit and re * re + im * im <= 4:
        re, im = re * re - im * im + a, 2 * re * im + b
        step += 1
    return step


def prepare(case):
    pool = ThreadPoolExecutor(case.threads)

    def run(x, y, limit, counts):
        columns, limit = x.tolist(), int(limit)

        def count(row, b):
            row[:] = [steps(a, b, limit) for a in columns]

        list(pool.map(count, counts, y.tolist()))

    return run
