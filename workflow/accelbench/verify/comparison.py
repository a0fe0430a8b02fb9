"""Comparison of results with reference results, element by element and by the kernel's error metrics."""

import numpy as np

from accelbench.backends import POISON
from accelbench.errors import WrongResult
from accelbench.rpc.messages import shaped

CHUNK = 1 << 17  # Number of elements that are compared at once, so small that temporary arrays stay in the cache


def compare(name, result, expected, *, tolerance):
    """Compare an output with its reference. Return (largest absolute error, tolerance of the element with this error).

    result, expected  arrays of one shape
    tolerance         array that broadcasts to this shape

    Raise WrongResult if an element's error exceeds its tolerance. NaN is wrong unless NaN is expected at this element.
    """
    shape = expected.shape
    result = shaped(name, result, shape)
    if not result.size:
        return 0.0, float(np.max(tolerance, initial=0.0))
    result, expected = result.reshape(-1), expected.reshape(-1)
    tolerance = tolerance if tolerance.ndim == 0 else np.broadcast_to(tolerance, shape).reshape(-1)
    wrong, worst, place = 0, -1.0, 0
    for start in range(0, result.size, CHUNK):
        part = slice(start, start + CHUNK)
        allowed = tolerance[part] if tolerance.ndim else tolerance
        error = _absolute_error(result[part], expected[part])
        within = error <= allowed
        if not within.all():
            error = np.where(within, -1.0, np.nan_to_num(error, nan=np.inf))
        here = int(np.argmax(error))
        if (not within.all(), error[here]) > (wrong > 0, worst):
            worst, place = float(error[here]), start + here
        wrong += within.size - np.count_nonzero(within)
    limit = float(tolerance[place] if tolerance.ndim else tolerance)
    if wrong:
        where = f" at {list(map(int, np.unravel_index(place, shape)))}" if shape else ""
        share = f"{wrong} of {result.size} elements differ, the worst" if shape else "it"
        message = f"{name}: {share}{where} is {result[place]!s}, expected {expected[place]!s} (tolerance {limit:.3g})"
        untouched = _poisoned(result)
        raise WrongResult(f"{message}; elements probably never written: {untouched}" if untouched else message)
    return worst, limit


def within(errors):
    """Return `errors`, {what: (error, tolerance)}. Raise WrongResult if an error exceeds its tolerance or is NaN."""
    for what, (error, tolerance) in errors.items():
        if not error <= tolerance:
            raise WrongResult(f"{what}: {error:.3g} exceeds the tolerance {tolerance:.3g}")
    return errors


def nearest(errors, outputs):
    """Return the (error, tolerance) with the largest ratio error / tolerance, from {what: (error, tolerance)}.

    If the kernel has error metrics, ignore elementwise errors, which have the names of `outputs`.
    """
    metrics = [pair for what, pair in errors.items() if what not in outputs]
    return max(metrics or errors.values(), key=lambda pair: closeness(*pair), default=(0.0, 0.0))


def closeness(error, tolerance):
    """Return error / tolerance, which is at most 1 for a right result. If the tolerance is 0, return the error."""
    return error / tolerance if tolerance else error


def _poisoned(result):
    """Return the number of elements that were probably never written: all their bytes are POISON."""
    written = np.ascontiguousarray(result).view(np.uint8).reshape(result.size, -1) != POISON
    return result.size - np.count_nonzero(written.any(axis=1))


def _absolute_error(result, expected):
    """Return |result - expected| in float64. For two integers, an error up to 2**53 is exact.

    The error is 0 if both numbers are the same infinity, or if both are NaN.
    """
    if expected.dtype.kind in "biu" and result.dtype.kind in "biu":
        larger, smaller = np.maximum(result, expected), np.minimum(result, expected)
        wide = np.float64 if larger.dtype.kind == "f" else np.uint64  # differences do not overflow in this type
        return np.asarray(np.subtract(larger, smaller, dtype=wide, casting="unsafe"), dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.asarray(np.abs(np.subtract(result, expected, dtype=np.result_type(expected, np.float64))))
    if not np.isfinite(np.max(error)):
        error[(result == expected) | (np.isnan(result) & np.isnan(expected))] = 0.0
    return error
