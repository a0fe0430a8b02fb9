"""Tests of the comparison of results with the reference, and of its messages."""

import re

import numpy as np
import pytest

from accelbench.errors import InputError, WrongResult
from accelbench.verify import comparison, trial
from accelbench.verify.comparison import compare, nearest, within


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(comparison, "CHUNK", 7)


def test_the_largest_error_and_its_tolerance():
    expected = np.arange(20.0)
    result = expected.copy()
    result[11] += 0.25
    result[3] -= 0.125
    assert compare("y", result, expected, tolerance=np.array(0.5)) == (0.25, 0.5)
    bounds = np.linspace(1, 2, 20)
    assert compare("y", result, expected, tolerance=bounds) == (0.25, bounds[11])


def test_one_element_beyond_its_own_tolerance_is_wrong_though_another_errs_more():
    expected, tolerance = np.zeros((4, 5)), np.full((4, 5), 10.0)
    result = np.zeros((4, 5))
    result[0, 1], result[3, 2], tolerance[3, 2] = 9.0, 0.5, 0.25
    with pytest.raises(WrongResult, match=r"1 of 20 elements differ, the worst at \[3, 2\] is 0.5"):
        compare("y", result, expected, tolerance=tolerance)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_wrong(value):
    expected = np.ones(9)
    result = expected.copy()
    result[8] = value
    with pytest.raises(WrongResult, match=r"\[8\]"):
        compare("y", result, expected, tolerance=np.array(1e30))


def test_unless_expected():
    expected = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare("y", expected.copy(), expected, tolerance=np.array(0.0)) == (0.0, 0.0)


def test_integers_are_compared_exactly():
    expected = np.array([0, 255, 7], np.uint8)
    assert compare("mask", expected.copy(), expected, tolerance=np.array(0)) == (0.0, 0.0)
    with pytest.raises(WrongResult, match="is 0, expected 255"):
        compare("mask", np.array([0, 0, 7], np.uint8), expected, tolerance=np.array(0))
    big = np.array([2**62], np.int64)
    with pytest.raises(WrongResult):
        compare("n", big + 1, big, tolerance=np.array(0))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_the_difference_of_the_largest_and_smallest_integer_does_not_overflow(dtype):
    ends = np.iinfo(dtype)
    with pytest.raises(WrongResult, match="1 of 2 elements differ"):
        compare("n", np.array([1, ends.max], dtype), np.array([1, ends.min], dtype), tolerance=np.array(1))


def test_scalars_and_shapes():
    assert compare("s", np.float32(1.5), np.array(1.5), tolerance=np.array(0.0)) == (0.0, 0.0)
    assert compare("s", np.array([1.5]), np.array(1.5), tolerance=np.array(0.0)) == (0.0, 0.0)
    assert compare("y", np.empty(0), np.empty(0), tolerance=np.array(1.0)) == (0.0, 1.0)
    with pytest.raises(WrongResult, match="shape"):
        compare("y", np.zeros(3), np.zeros(4), tolerance=np.array(1.0))
    with pytest.raises(WrongResult, match="not numbers"):
        compare("y", np.array(["a"]), np.zeros(1), tolerance=np.array(1.0))


def test_what_the_kernel_judges_is_held_to_its_own_tolerance():
    errors = {"residual": (0.5, 1.0), "steps": (9.0, 10.0), "exact": (0.0, 0.0)}
    assert within(errors) == errors
    assert nearest(errors, {"y"}) == (9.0, 10.0)
    assert nearest(errors, {"steps"}) == (0.5, 1.0)
    assert nearest(errors, errors) == (9.0, 10.0)
    for error in (1.5, np.inf, np.nan):
        with pytest.raises(WrongResult, match=rf"residual: {error} exceeds the tolerance 1"):
            within({"steps": (9.0, 10.0), "residual": (error, 1.0)})


OWN_JUDGEMENT = '''

def error_metrics(x, y, size, dtype, again):
    """The sum must be right, and both calls must agree; single elements may differ."""
    return {"sum": (abs(y.sum() - 2 * x.sum()), 1e-9 * size), "change": (abs(again["y"] - y).max(), 0)}
'''
JUDGED = {
    "numpy_reversed": ("y[:] = 2 * x[::-1]", None),
    "numpy_triple": ("y[:] = 3 * x", r"sum: \S+ exceeds the tolerance 1e-06"),
    "numpy_nan": ("y[:] = 2 * x; y[0] = np.nan", "y: "),
    "numpy_restless": (
        "y[:] = 2 * x; calls.append(0); y[:2] += len(calls), -len(calls)",
        "change: 1 exceeds the tolerance 0",
    ),
}


def test_outcomes_by_the_kernels_own_judgement(bench):
    """The record contains all errors that `error_metrics` returns, and the elementwise error of y.

    `max_error` is the error of `error_metrics` that is largest relative to its bound.
    """
    specification = (bench.folder / "kernel.py").read_text()
    bench.write("kernel.py", specification.replace("return 0.0", "return 1e3") + OWN_JUDGEMENT)
    for name, (line, _) in JUDGED.items():
        bench.write(f"{name}.py", f"import numpy as np\n\ncalls = []\n\n\ndef run(x, y):\n    {line}\n")
    records = bench.measure()
    for name, (_, reason) in JUDGED.items():
        assert records[name].outcome == ("wrong_result" if reason else "ok"), records[name].reason
        assert reason is None or re.match(reason, records[name].reason)
    found = records["numpy_reversed"]
    assert found.errors.keys() == {"y", "sum", "change"}
    assert found.errors["y"][0] > 1e-3
    assert found.errors["y"][1] == 1e3
    assert (found.max_error, found.tolerance) == found.errors["sum"]


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("error_metrics(y): return 3", r"error_metrics returned the int 3. Return \{"),
        ('error_metrics(y): return {"sum": 1.0}', "error_metrics returned the dict {'sum': 1.0}"),
        ('error_metrics(y): return {"sum": (0, float("inf"))}', "error_metrics returned"),
        ("error_metrics(y, rng): return {}", "error_metrics has the unsupported parameter 'rng'"),
        ("error_metrics(y): return y.nothing", "error_metrics fails for .*AttributeError"),
    ],
)
def test_a_judgement_that_cannot_be_used_is_one_message(bench, function, told):
    bench.write("kernel.py", f"{(bench.folder / 'kernel.py').read_text()}\n\ndef {function}\n")
    with pytest.raises(InputError, match=told):
        trial.load(bench.folder)


EXACT = """

def exact_inputs(size, dtype, rng):
    return {"x": np.arange(1, size + 1).astype(dtype)}
"""


def test_what_the_tolerance_hides_shows_with_exact_inputs(bench):
    specification = (bench.folder / "kernel.py").read_text().replace("return 0.0", "return 1e3")
    bench.write("numpy_all_but_one.py", "def run(x, y):\n    y[:] = 2 * x\n    y[0] = 0\n")
    for extra, outcome in (("", "ok"), (EXACT, "wrong_result")):
        bench.write("kernel.py", specification + extra)
        found = bench.measure()["numpy_all_but_one"]
        assert found.outcome == outcome, found.reason
    assert "1 of 1000 elements differ, the worst at [0] is 0.0, expected 2.0 (tolerance 0)" in found.reason


@pytest.mark.parametrize("wrong", ['{"y": np.ones(size)}', '{"x": np.ones(size + 1)}', '{"x": np.ones(size, "f4")}'])
def test_exact_inputs_go_into_the_arrays_of_inputs(bench, wrong):
    text = (bench.folder / "kernel.py").read_text()
    bench.write("kernel.py", f"{text}\n\ndef exact_inputs(size):\n    return {wrong}\n")
    with pytest.raises(InputError, match="exact_inputs returned other names, shapes or dtypes than inputs"):
        trial.load(bench.folder)
