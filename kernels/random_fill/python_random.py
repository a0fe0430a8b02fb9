"""List comprehension over random.random, whose floats are float64 whatever the dtype."""

from random import Random


def prepare(case):
    draw, size = Random(20230308).random, case.size
    return lambda out: [draw() for _ in range(size)]
