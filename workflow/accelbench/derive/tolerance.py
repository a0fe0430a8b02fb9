"""Tolerance of results relative to their largest element, estimated from calls of the function.

The tolerance is MARGIN times the largest of three estimates, or MARGIN times the rounding error of the results if this
error is larger:

inputs  change of the outputs if each input changes by one rounding error (the condition of the problem)
noise   change of the outputs if every operation has a random error, as large as another summation order causes
twin    difference from the outputs for longdouble inputs, if these outputs are longdouble
"""

import contextlib
import copy

import numpy as np

from accelbench.errors import WrongResult
from accelbench.verify.comparison import compare

MARGIN = 16  # Ratio of the tolerance to the change that rounding alone causes
EXACT = (
    "reshape transpose copy where flip zeros_like empty_like ones_like full_like sort concatenate hstack vstack stack"
    " triu tril max min amax amin repeat tile take diag diagonal argsort ravel argmax argmin roll squeeze"
)  # NumPy functions without rounding
OF_UFUNCS = "sum mean std var average"  # NumPy functions that consist of ufuncs
OUT = "out"  # NumPy's name of the argument for the output array
FLOATS = "fc"  # Kinds of dtypes with rounding, by NumPy's letters


def jitter(array, rng, scale=1.0):
    """Return an array in which each element is larger or smaller, at random, by `scale` rounding errors.

    scale  number, or array with a number for each element
    """
    roundings = scale * rng.choice((-1.0, 1.0), array.shape)
    return np.asarray(array * (1 + np.finfo(array.dtype).eps * roundings)).astype(array.dtype)


def mapped(value, change):
    """Return a copy of `value` with change(x) in place of every float x and every array x of floats in it."""
    if isinstance(value, (list, tuple)):
        return type(value)(mapped(part, change) for part in value)
    if isinstance(value, dict):
        return {key: mapped(part, change) for key, part in value.items()}
    is_rounded = is_float(value) or isinstance(value, (float, complex, np.inexact))
    return change(np.asarray(value))[()] if is_rounded else copy.deepcopy(value)


class Noisy(np.ndarray):
    """Array whose operations have random errors, as large as if sums were in another order or rounded differently.

    launches  number of operations on all Noisy arrays. A GPU needs at least this number of kernel launches
    reads     number of array elements that are read one by one. A GPU needs at least this number of reads
    """

    rng, launches, reads = np.random.default_rng(5), 0, 0

    def __getitem__(self, index):
        selection = super().__getitem__(index)
        Noisy.launches += any(isinstance(part, np.ndarray) for part in (index if type(index) is tuple else (index,)))
        Noisy.reads += not isinstance(selection, np.ndarray)
        return selection

    def __setitem__(self, index, value):
        Noisy.launches += 1
        super().__setitem__(index, value)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [_plain(operand) for operand in inputs]
        named |= {} if out is None else {OUT: tuple(map(_plain, out))}
        result, scale = getattr(ufunc, method)(*plain, **named), 0.5
        if method == "reduce" and ufunc is np.add and is_float(plain[0]):
            squares = ufunc.reduce(abs(plain[0]) ** 2, **{**named, OUT: None})
            scale = _of_sum(result, plain[0].size / max(np.size(result), 1), squares)
        elif ufunc is np.matmul and all(map(is_float, plain)):
            scale = _of_sum(result, plain[0].shape[-1], abs(plain[0]) ** 2 @ abs(plain[1]) ** 2)
        noisy = _noisy(result, scale)
        for output, new in zip(out or (), noisy if isinstance(noisy, tuple) else (noisy,), strict=False):
            _plain(output)[...] = _plain(new)
        return noisy if out is None else out[0]

    def __array_function__(self, function, *given):
        types, arguments, named = given
        if function.__name__ in OF_UFUNCS.split():
            return super().__array_function__(function, types, arguments, named)
        plain = _plain(list(arguments))
        result = function(*plain, **{key: _plain(argument) for key, argument in named.items()})
        terms = max((operand.size for operand in plain if is_float(operand)), default=1) / max(np.size(result), 1)
        noisy = _noisy(result, 0.0 if function.__name__ in EXACT.split() else max(1.0, terms**0.5))
        return named.get(OUT, noisy)


def _of_sum(result, terms, squares):
    """Return the typical errors of the sums `result` for any summation order, in units of one rounding error.

    terms    number of terms of each sum
    squares  sums of the squared terms
    """
    with np.errstate(all="ignore"):
        typical = np.maximum(1.0, np.sqrt(squares) / np.abs(result))
    return 0.5 * max(terms, 1.0) ** 0.5 * np.where(np.isfinite(typical), typical, 1.0)


def is_float(value):
    """Return whether a value is an array of floating-point numbers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in FLOATS


def _plain(value):
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value.view(np.ndarray) if isinstance(value, Noisy) else value


def _noisy(result, scale):
    """Return the results of an operation, with random errors of `scale` rounding errors."""
    if isinstance(result, tuple):
        return tuple(_noisy(output, scale) for output in result)
    Noisy.launches += 1
    array = np.asarray(result)
    array = jitter(array, Noisy.rng, scale) if is_float(array) else array
    return array.view(Noisy) if array.ndim else array[()]


def error(result, expected):
    """Return the largest error of one output, relative to the largest element of the expected output.

    The error is infinite if shapes, integers, or the positions of NaN and infinities differ.
    """
    try:
        worst, _ = compare("", result, expected, tolerance=np.asarray(np.inf if is_float(expected) else 0.0))
    except WrongResult:
        return np.inf
    return float(worst / (np.abs(expected).max(initial=0.0, where=np.isfinite(expected)) or 1.0))


def distance(results, expected):
    """Return the largest error of several outputs. Return infinity if `results` and `expected` differ in number."""
    return max(map(error, results, expected), default=0.0) if len(results) == len(expected) else np.inf


def scale(results_of, given, expected, *, draws=4):
    """Return the relative change of the results that rounding alone causes.

    results_of  function that returns results and changed arrays of a call, and may change its arguments
    given       arguments of the call
    expected    results and changed arrays for these arguments, without noise
    """
    rng = np.random.default_rng(7)
    inputs = [mapped(given, lambda a: jitter(a, rng)) for _ in range(draws)]
    noise = [
        [argument.copy().view(Noisy) if isinstance(argument, np.ndarray) else argument for argument in given]
        for _ in range(draws)
    ]
    twin = mapped(given, lambda a: a.astype(np.result_type(a, np.longdouble)) if a.ndim else a)
    estimates = [float(np.finfo(array.dtype).eps) for array in expected if is_float(array)] or [2.0**-52]
    for values in (*inputs, *noise, twin):
        # If the function does not accept these arrays, there is no estimate.
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            results = [_plain(output) for output in results_of(values)]
            if values is not twin or {array.dtype.char for array in results if is_float(array)} <= {"g", "G"}:
                estimates.append(distance(results, expected))
    return max(estimate for estimate in estimates if np.isfinite(estimate))
