"""How far a right result may be off, estimated from the function itself, relative to the largest element.

inputs  spread of the outputs when each input is off by one rounding: the condition of the problem
noise   the same when the result of every operation is off by one rounding: stochastic arithmetic
twin    distance to the same function on longdouble inputs, if its outputs are longdouble, too
"""

import numpy as np

EPS = float(np.finfo(np.float64).eps)
EXACT = (
    "reshape transpose copy where flip zeros_like empty_like ones_like full_like sort concatenate hstack vstack stack"
    " triu tril max min amax amin repeat tile take diag diagonal argsort ravel argmax argmin roll squeeze"
)  # NumPy functions that round nothing
OUT = "out"  # NumPy's argument for the array that gets a result
FLOATS = "fc"  # NumPy's kinds of dtypes that are rounded


def jitter(array, rng, scale=1.0):
    """Return an array whose elements are off by `scale` roundings, up or down at random."""
    step = np.finfo(array.dtype).eps * scale * rng.choice((-1.0, 1.0), array.shape)
    return np.asarray(array * (1 + step)).astype(array.dtype)


def mapped(value, change):
    """Return a copy of arguments with change(array) in place of every array of floats, and of every float."""
    if isinstance(value, np.ndarray):
        return change(value) if value.dtype.kind in FLOATS else value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(mapped(each, change) for each in value)
    if isinstance(value, dict):
        return {key: mapped(each, change) for key, each in value.items()}
    if isinstance(value, (float, complex, np.inexact)):
        return type(value)(change(np.asarray(value)).item())
    return value


class NoisyArray(np.ndarray):
    """An array whose operations are each off by up to one rounding."""

    rng = np.random.default_rng(5)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [_plain(each) for each in inputs]
        if ufunc is np.matmul or (method == "reduce" and ufunc is np.add):  # their order is anybody's choice
            plain = [jitter(each, self.rng) if _is_float(each) else each for each in plain]
        targets = out and {"out": tuple(map(_plain, out))}
        result = getattr(ufunc, method)(*plain, **named, **(targets or {}))
        if out is None:
            return _noisy(result, 0.5)
        for each in map(_plain, out):
            if _is_float(each):
                each[...] = jitter(each, self.rng, 0.5)
        return out[0] if len(out) == 1 else out

    def __array_function__(self, function, *types_and_arguments):
        _, given, named = types_and_arguments
        result = function(*_plain(list(given)), **{key: _plain(each) for key, each in named.items()})
        return _noisy(result, 0.0 if function.__name__ in EXACT.split() else 1.0) if OUT not in named else named[OUT]


def _is_float(value):
    return isinstance(value, np.ndarray) and value.dtype.kind in FLOATS


def _plain(value):
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value.view(np.ndarray) if isinstance(value, NoisyArray) else value


def _noisy(result, scale):
    if isinstance(result, tuple):
        return tuple(_noisy(each, scale) for each in result)
    if isinstance(result, (np.ndarray, np.inexact)) and np.asarray(result).dtype.kind in FLOATS:
        array = jitter(np.asarray(result), NoisyArray.rng, scale) if scale else np.asarray(result)
        return array.view(NoisyArray) if array.ndim else array[()]
    return result


def error(result, expected):
    """Return the largest error of one output relative to its largest element; infinite if the two have nothing in
    common: another shape, other integers, NaN or infinities elsewhere."""
    result, expected = np.asarray(result), np.asarray(expected)
    if result.shape != expected.shape:
        return np.inf
    if expected.dtype.kind not in FLOATS or result.dtype.kind not in FLOATS:
        return 0.0 if np.array_equal(result, expected) else np.inf
    finite = np.isfinite(expected)
    if not np.array_equal(result[~finite], expected[~finite], equal_nan=True):
        return np.inf
    if not finite.any():
        return 0.0
    worst = np.abs(result[finite] - expected[finite]).max()
    return float(worst / (np.abs(expected[finite]).max() or 1.0)) if np.isfinite(worst) else np.inf


def distance(results, expected):
    """Return the largest error of several outputs; infinite if their number differs."""
    if len(results) != len(expected):
        return np.inf
    return max((error(one, other) for one, other in zip(results, expected, strict=True)), default=0.0)


def scale(results_of, given, expected, *, draws=4):
    """Return how far results of this computation scatter by rounding alone.

    results_of  the results of a call, arrays that it changes among them; it may change what it is given
    given       the arguments; expected: the results for them
    """
    rng = np.random.default_rng(7)

    def noisy():
        return results_of(mapped(given, lambda a: a.copy().view(NoisyArray) if a.ndim else a))

    def twin():
        wide = {"f": np.longdouble, "c": np.clongdouble}
        results = results_of(mapped(given, lambda a: a.astype(wide[a.dtype.kind]) if a.ndim else a))
        kinds = {each.dtype for each in results if each.dtype.kind in FLOATS}
        return results if kinds <= {np.dtype(kind) for kind in wide.values()} else expected

    estimates = [
        *[lambda: results_of(mapped(given, lambda a: jitter(a, rng)))] * draws,
        *[noisy] * draws,
        twin,
    ]
    found = [float(np.finfo(each.dtype).eps) for each in expected if each.dtype.kind in FLOATS] or [EPS]
    for estimate in estimates:
        try:
            with np.errstate(all="ignore"):
                found.append(distance([_plain(each) for each in estimate()], expected))
        except Exception:  # the function does not take these arrays, which says nothing about its rounding
            continue
    return max(each for each in found if np.isfinite(each))
