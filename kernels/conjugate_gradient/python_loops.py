"""Lists of Python floats, in double precision always."""

from itertools import pairwise
from operator import mul


def convert(data, indices, indptr, b, relative_residual, most_steps):
    rows = [
        list(zip(data[begin:end].tolist(), indices[begin:end].tolist(), strict=True))
        for begin, end in pairwise(indptr.tolist())
    ]
    return rows, b.tolist(), float(relative_residual), int(most_steps)


def run(rows, b, relative_residual, most_steps, x):
    solution, residual, direction = [0.0] * len(b), b, b
    squared = sum(map(mul, residual, residual))
    target, steps = relative_residual**2 * squared, 0
    while squared > target and steps < most_steps:
        product = [sum(value * direction[column] for value, column in row) for row in rows]
        length = squared / sum(map(mul, direction, product))
        solution = [s + length * d for s, d in zip(solution, direction, strict=True)]
        residual = [r - length * p for r, p in zip(residual, product, strict=True)]
        before, squared = squared, sum(map(mul, residual, residual))
        ratio = squared / before
        direction = [r + ratio * d for r, d in zip(residual, direction, strict=True)]
        steps += 1
    x[:] = solution
    return steps
