"""Tests of inputs whose result is exact in any order: an element lost or added twice exceeds the tolerance."""

import numpy as np
import pytest

from accelbench import project
from accelbench.kernel import whole_numbers
from accelbench.kernels import catalog

PATHS = catalog.find([project.ROOT / "kernels", project.PEAKS])
SIZES = {  # Largest size at which the kernel detects a lost element and the test is quick
    "vector_sum": {"float64": 3_000_000, "float32": 10_000_000},
    "peak_read": {"float64": 3_000_000, "float32": 10_000_000},
    "dot": {"float64": 1_000_000, "float32": 10_000_000},
    "cumsum": {"float64": 1_000_000, "float32": 1_000_000},
    "standard_deviation": {"float64": 1_000_000, "float32": 100_000},
    "l2norm": {"float64": 30, "float32": 30},
    "sum_of_products": {"float64": 30, "float32": 30},
    "trace": {"float64": 1000, "float32": 1000},
    "matmul": {"float64": 130, "float32": 130},
    "maximum": {"float64": 1000, "float32": 1000},
}
OTHERS = {"histogram", "softmax", "sort"}  # Kernels with separate tests
CASES = [(kernel, dtype) for kernel, sizes in SIZES.items() for dtype in sizes]


def problem(kernel, size, dtype, options=None):
    """Return (folder, options, inputs, expected, tolerance) of the exact inputs."""
    folder = catalog.load(PATHS[kernel])
    options = folder.spec.options | (options or {})
    inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options=options, exact=True)
    expected = folder.expected(size, dtype, options=options, inputs=inputs)
    return (
        folder,
        options,
        inputs,
        expected,
        folder.tolerance(size, dtype, options=options, inputs=inputs, expected=expected, exact=True),
    )


def test_every_kernel_with_exact_inputs_is_here():
    folders = [catalog.load(path) for path in PATHS.values()]
    assert {folder.name for folder in folders if "exact_inputs" in folder.functions} == SIZES.keys() | OTHERS


@pytest.mark.parametrize(("kernel", "dtype"), CASES)
@pytest.mark.parametrize("factor", [0, 2])
def test_one_element_lost_or_doubled_shows(kernel, dtype, factor):
    size = SIZES[kernel][dtype]
    folder, options, inputs, expected, allowed = problem(kernel, size, dtype)
    x = next(iter(inputs.values()))
    nonzero = np.argwhere(np.eye(size) if kernel == "trace" else x)
    place = tuple(nonzero[len(nonzero) // 3]) if kernel != "maximum" else x.argmax()
    x[place] = -2 if kernel == "maximum" else x[place] * factor
    wrong = folder.expected(size, dtype, options=options, inputs=inputs)
    assert any(np.any(np.abs(np.subtract(w, e)) > a) for w, e, a in zip(wrong, expected, allowed, strict=True))


@pytest.mark.parametrize("columns", [0, 1, 3, 65_537, 1_000_000])
def test_a_lost_element_of_a_row_of_any_length_shows(columns):
    folder, options, inputs, (expected,), (allowed,) = problem("l2norm", 1, "float32", {"columns": columns})
    inputs["x"][:, :1] = 0
    (wrong,) = folder.expected(1, "float32", options=options, inputs=inputs)
    assert (np.abs(wrong - expected) > allowed).all() == (columns > 0)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_of_whole_numbers_need_no_rounding(dtype):
    """Sums from left to right, from right to left, in lanes and in strides are the same number."""
    x, y = (whole_numbers(100_000, dtype, np.random.default_rng(seed)) for seed in (1, 2))
    assert sorted(set(x.tolist())) == [*range(-8, 0), *range(1, 9)]
    products = x * y
    sums = [np.cumsum(p)[-1] for p in (products, products[::-1], products.reshape(-1, 16).sum(axis=0), products[::7])]
    sums[-1] += sum(np.cumsum(products[k::7])[-1] for k in range(1, 7))
    assert {float(s) for s in [*sums, np.dot(x, y), products.sum()]} == {float(int(products.astype(np.int64).sum()))}


def test_the_largest_number_is_where_it_is_passed_over():
    at = {int(problem("maximum", size, "float32")[2]["x"].argmax()) / (size - 1) for size in range(101, 201, 2)}
    assert at == {0.0, 0.5, 1.0}
