"""How far a right result may be off, estimated from the function itself, relative to the largest element.

inputs  spread of the outputs when each input is off by one rounding: the condition of the problem
noise   the same when the result of every operation is off as much as another order of its sums makes it
twin    distance to the same function on longdouble inputs, if its outputs are longdouble, too
"""

import numpy as np

EPS = float(np.finfo(np.float64).eps)
EXACT = (
    "reshape transpose copy where flip zeros_like empty_like ones_like full_like sort concatenate hstack vstack stack"
    " triu tril max min amax amin repeat tile take diag diagonal argsort ravel argmax argmin roll squeeze"
)  # NumPy functions that round nothing
OF_UFUNCS = "sum mean std var average"  # NumPy functions that consist of ufuncs
OUT = "out"  # NumPy's argument for the array that gets a result
FLOATS = "fc"  # NumPy's kinds of dtypes that are rounded
WIDE = {"f": np.longdouble, "c": np.clongdouble}


def jitter(array, rng, scale=1.0):
    """Return an array whose elements are off by `scale` roundings, a number or an array, up or down at random."""
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
    """An array whose operations are each off as other orders and other roundings make them.

    operations  how many of them there were, in all arrays: a GPU would launch as many kernels at least
    """

    rng, operations = np.random.default_rng(5), 0

    def __setitem__(self, index, value):
        NoisyArray.operations += 1
        super().__setitem__(index, value)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        NoisyArray.operations += 1
        plain, target = [_plain(each) for each in inputs], out and {OUT: tuple(map(_plain, out))}
        result = getattr(ufunc, method)(*plain, **named, **(target or {}))
        scale = 0.5
        if method == "reduce" and ufunc is np.add and _is_float(plain[0]):
            scale = _of_sum(result, plain[0].size / max(np.size(result), 1), ufunc.reduce(abs(plain[0]) ** 2, **named))
        elif ufunc is np.matmul and all(map(_is_float, plain)):
            scale = _of_sum(result, plain[0].shape[-1], abs(plain[0]) ** 2 @ abs(plain[1]) ** 2)
        if out is None:
            return _noisy(result, scale)
        for each in map(_plain, out):
            if _is_float(each):
                each[...] = jitter(each, self.rng, scale)
        return out[0] if len(out) == 1 else out

    def __array_function__(self, function, *given):
        types, arguments, named = given
        if function.__name__ in OF_UFUNCS.split():
            return super().__array_function__(function, types, arguments, named)
        NoisyArray.operations += 1
        plain = _plain(list(arguments))
        result = function(*plain, **{key: _plain(each) for key, each in named.items()})
        if OUT in named:
            return named[OUT]
        terms = max((each.size for each in plain if _is_float(each)), default=1) / max(np.size(result), 1)
        return _noisy(result, 0.0 if function.__name__ in EXACT.split() else max(1.0, terms**0.5))


def _of_sum(result, terms, squares):
    """Return how many roundings the sums in `result` may be off in any order, from the sums of their squared terms."""
    with np.errstate(all="ignore"):
        typical = np.maximum(1.0, np.sqrt(squares) / np.abs(result))
    return 0.5 * max(terms, 1.0) ** 0.5 * np.where(np.isfinite(typical), typical, 1.0)


def _is_float(value):
    return isinstance(value, np.ndarray) and value.dtype.kind in FLOATS


def _plain(value):
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value.view(np.ndarray) if isinstance(value, NoisyArray) else value


def _noisy(result, scale):
    if isinstance(result, tuple):
        return tuple(_noisy(each, scale) for each in result)
    array = np.asarray(result)
    if array.dtype.kind not in FLOATS:
        return result
    array = jitter(array, NoisyArray.rng, scale)
    return array.view(NoisyArray) if array.ndim else array[()]


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
    worst = np.abs(result[finite] - expected[finite]).max(initial=0.0)
    return float(worst / (np.abs(expected[finite]).max(initial=0.0) or 1.0)) if np.isfinite(worst) else np.inf


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
    changes = [lambda a: jitter(a, rng)] * draws + [lambda a: a.copy().view(NoisyArray) if a.ndim else a] * draws
    changes.append(lambda a: a.astype(WIDE[a.dtype.kind]) if a.ndim else a)
    found = [float(np.finfo(each.dtype).eps) for each in expected if each.dtype.kind in FLOATS] or [EPS]
    for change in changes:
        try:
            with np.errstate(all="ignore"):
                results = [_plain(each) for each in results_of(mapped(given, change))]
        except Exception:  # the function does not take these arrays, which says nothing about its rounding
            continue
        if change is not changes[-1] or {each.dtype.char for each in results if _is_float(each)} <= {"g", "G"}:
            found.append(distance(results, expected))
    return max(each for each in found if np.isfinite(each))
