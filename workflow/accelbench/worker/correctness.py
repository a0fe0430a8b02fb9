"""Whether a result is right: against the reference, element by element, within the tolerance."""

import numpy as np


class WrongResult(Exception):
    """The message says what is wrong, for a person."""


def poison(shape, dtype):
    """A host array nobody could mistake for a result: NaN, or bytes of 0xFF."""
    dtype = np.dtype(dtype)
    if dtype.kind in "fc":
        return np.full(shape, np.nan, dtype)
    return np.frombuffer(b"\xff" * (dtype.itemsize or 1), dtype)[0] * np.ones(shape, dtype)


def compare(name, result, expected, tolerance):
    """(largest absolute error, tolerance at that place); WrongResult where any element exceeds its tolerance.

    result, expected: arrays of one shape; tolerance: an array that broadcasts to it. NaN is wrong unless expected.
    """
    result = np.asarray(result)
    if result.shape != expected.shape:
        if result.size != 1 or expected.size != 1:
            raise WrongResult(f"{name} has shape {result.shape}, expected {expected.shape}")
        result = result.reshape(expected.shape)
    if result.dtype.kind not in "biufc":
        raise WrongResult(f"{name} holds {result.dtype}, not numbers")
    if not result.size:
        return 0.0, float(np.max(tolerance, initial=0.0))
    error = _absolute_error(result, expected)
    place = np.unravel_index(np.argmax(error), error.shape)
    if tolerance.ndim == 0 and error[place] <= tolerance:
        return float(error[place]), float(tolerance)
    wrong = ~(error <= tolerance)
    if wrong.any():
        place = np.unravel_index(np.argmax(np.where(wrong, np.nan_to_num(error, nan=np.inf), -1.0)), error.shape)
        where = f" at {list(map(int, place))}" if error.ndim else ""
        limit = np.broadcast_to(tolerance, error.shape)[place]
        share = f"{int(wrong.sum())} of {wrong.size} elements differ, the worst" if error.ndim else "it"
        raise WrongResult(
            f"{name}: {share}{where} is {result[place]!s}, expected {expected[place]!s} (tolerance {limit:.3g})"
        )
    return float(error[place]), float(np.broadcast_to(tolerance, error.shape)[place])


def _absolute_error(result, expected):
    """|result - expected| in float64 (exact for integers up to 2**53); 0 where both are the same infinity or NaN."""
    if expected.dtype.kind in "biu" and result.dtype.kind in "biu":
        larger, smaller = np.maximum(result, expected), np.minimum(result, expected)
        return np.asarray(np.subtract(larger, smaller, dtype=np.result_type(larger, np.uint8)).astype(np.float64))
    kind = np.complex128 if expected.dtype.kind == "c" else np.float64
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.asarray(np.abs(np.subtract(result, expected, dtype=kind)))
    if not np.isfinite(np.max(error)):
        error[(result == expected) | (np.isnan(result) & np.isnan(expected))] = 0.0
    return error
