"""Cooley and Tukey's recursion over lists of Python's complex numbers, in double precision always."""

from cmath import exp, pi
from math import isqrt


def convert(x):
    return (x.tolist(),)


def fft(x):
    n = len(x)
    if n < 2:
        return x
    factor = next((p for p in range(2, isqrt(n) + 1) if n % p == 0), n)
    parts, each = [fft(x[j::factor]) for j in range(factor)], n // factor
    roots = [exp(-2j * pi * k / n) for k in range(n)]
    return [sum(part[k % each] * roots[j * k % n] for j, part in enumerate(parts)) for k in range(n)]


def run(x, out):
    return fft(x)
