"""Plain Python loops in a pool of threads. The threads run in parallel only without the GIL."""

import random
from concurrent.futures import ThreadPoolExecutor

ALGORITHM = "library"
PARAMETERS = ("threads",)


def count_hits(n, seed):
    draw = random.Random(seed).random
    hits = 0
    for _ in range(n):
        x, y = draw(), draw()
        if x * x + y * y < 1:
            hits += 1
    return hits


def prepare(case):
    threads = case.threads
    pool = ThreadPoolExecutor(threads)

    def run(n, seed):
        n, seed = int(n), int(seed)
        parts = [n * (thread + 1) // threads - n * thread // threads for thread in range(threads)]
        hits = sum(pool.map(count_hits, parts, range(seed, seed + threads)))
        return 4 * hits / n if n else 0.0

    return run
