"""A plain Python loop with the standard library's Mersenne Twister, in float64 for every dtype."""

import random

ALGORITHM = "library"


def run(n, seed):
    draw = random.Random(int(seed)).random
    hits = 0
    for _ in range(n):
        x, y = draw(), draw()
        if x * x + y * y < 1:
            hits += 1
    return 4 * hits / n if n else 0.0
