"""NaN, infinities and huge numbers among the inputs: treated as NumPy treats them, or said.

What needs no compiler is tried here, every baseline among it.
"""

import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from accelbench import catalog

ROOT = Path(__file__).parents[2] / "kernels"
VALUES = (np.nan, np.inf, -np.inf, 1e300, -1e300)  # a sum with 1e300 is finite, its square is not
# NumPy's own formulas, where the kernel's reference is made for finite numbers.
NUMPY = {
    "cumsum": lambda x: np.cumsum(x),
    "dot": lambda x, y: np.dot(x, y),
    "elementwise_trig": lambda x: np.sin(x) ** 2 + np.cos(x) ** 2,
    "l2norm": lambda x: np.sqrt((x * x).sum(axis=1)),
    "matmul": lambda a, b: (a[:, :, np.newaxis] * b).sum(axis=1),
    "standard_deviation": lambda x: np.std(x),
    "sum_of_products": lambda x, y: (x * y).sum(axis=1),
    "trace": lambda a: np.trace(a),
    "vector_sum": lambda x: np.sum(x),
}
# No numbers to begin with, or numbers that an iteration has to make smaller and smaller.
LEFT_OUT = {"call", "fill", "inside_polygon", "launch", "memory_pool", "monte_carlo_pi", "peer_copy", "random_fill"}
LEFT_OUT |= {"conjugate_gradient", "svd"}
# What differs; each says so in its docstring.
DIFFERENT = {
    "convolution": ["numpy_fft", "numpy_toeplitz"],
    "elementwise_trig": ["python_list"],
    "l2norm": ["numpy_blas", "python_list"],
    "maximum": ["python_max"],
    "spmv": ["numpy_scipy_diagonals"],
    "squared_difference": ["python_list"],
    "squared_difference_broadcast": ["python_list"],
    "squared_difference_mixed": ["python_list"],
    "standard_deviation": ["numpy_blocked", "python_loop", "python_statistics"],
}
SAID = re.compile("NaN|infinit|overflow", re.I)


@cache
def folder(kernel):
    return catalog.load(ROOT / kernel)


def cases():
    for kernel in catalog.find([ROOT]):
        if kernel not in LEFT_OUT:
            for name, implementation in folder(kernel).implementations.items():
                if implementation.backend in ("numpy", "python") and implementation.toolchain is None:
                    yield kernel, name


def planted(kernel, size, dtype):
    """(value, place, inputs): a kernel's inputs with one of the VALUES in one place, of a matrix's diagonal."""
    options = folder(kernel).spec.options
    for value in VALUES:
        for place in (0, size // 2, size - 1):
            inputs = folder(kernel).inputs(size, dtype, np.random.default_rng(1), options)
            arrays = [inputs[name] for name in ("x", "x1", "a", "y") if name in inputs]
            x = next(array for array in arrays if array.ndim and array.dtype.kind in "fc")
            x[(place,) * x.ndim] = value
            yield value, place, inputs


def alike(result, expected):
    """Whether a result is NumPy's but for rounding; where complex numbers are not finite, their parts may differ."""
    if np.iscomplexobj(expected):
        result, expected = (np.where(np.isfinite(numbers), numbers, np.nan) for numbers in (result, expected))
    return np.allclose(result, expected, rtol=1e-9, atol=1e-12, equal_nan=True)


def results(kernel, name, size, dtype, inputs):
    found = folder(kernel)
    module = catalog.import_file(found.implementations[name].path, f"nonfinite_{kernel}_{name}")
    declared = found.outputs(size, dtype, found.spec.options)
    case = SimpleNamespace(size=size, dtype=dtype, options=found.spec.options, threads=1, queue=None, stream=None)
    for parameter, values in found.implementations[name].parameters.items():
        setattr(case, parameter, (values or (8,))[0])
    run = module.prepare(case) if hasattr(module, "prepare") else module.run
    outputs = [np.empty(o.shape, o.dtype) for o in declared if o.shape != () and not o.inout]
    given = module.convert(**inputs) if hasattr(module, "convert") else inputs
    returned = run(*(given.values() if isinstance(given, dict) else given), *outputs)
    if returned is None:
        return outputs
    returned = returned if isinstance(returned, tuple) else (returned,)
    return [np.asarray(r) for r in (*outputs, *returned)[-len(declared) :]]


@pytest.mark.parametrize(("kernel", "name"), list(cases()))
def test_one_number_is_treated_as_numpy_treats_it(monkeypatch, kernel, name):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    found, different = folder(kernel), []
    size, dtype = 34, found.spec.dtypes[0]
    with np.errstate(all="ignore"):
        for value, place, inputs in planted(kernel, size, dtype):
            if kernel in NUMPY:
                expected = (NUMPY[kernel](**inputs),)
            else:
                expected = found.expected(size, dtype, found.spec.options, inputs)
            try:
                right = all(map(alike, results(kernel, name, size, dtype, inputs), expected))
            except (ArithmeticError, ValueError, AttributeError):
                right = False
            different += [] if right else [(value, place)]
    if different:
        assert name in DIFFERENT.get(kernel, ()), different
        assert SAID.search(found.implementations[name].path.read_text(encoding="utf-8").split('"""')[1])
