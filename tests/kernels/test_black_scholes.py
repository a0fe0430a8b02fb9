"""Tests of black_scholes: prices by numerical integration over the stock's future price, and known limits."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, parameters
from scipy import integrate
from scipy.special import ndtr

from accelbench.config import Build
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "black_scholes")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
RATE, VOLATILITY = 0.02, 0.3
LOOPS = ("cffi", "cython", "numba", "numpy")


def is_fast(name):
    """Return whether the implementation's compiler may assume finite numbers."""
    return FOLDER.implementations[name].math(Build()) == "fast"


def options(price, strike, years, dtype, volatility=VOLATILITY):
    arrays = (np.array(numbers, dtype) for numbers in (price, strike, years))
    real = np.dtype(dtype).type
    names = ("price", "strike", "years", "rate", "volatility")
    return dict(zip(names, (*arrays, real(RATE), real(volatility)), strict=True))


def test_reference_is_the_expected_payoff_discounted():
    """Quadrature integrates the payoffs max(S - strike, 0) and max(strike - S, 0) over a lognormal price S."""
    cases = [(10, 49, 0.25), (49, 10, 0.25), (30, 30, 1), (20, 31, 2.2), (45, 12, 2)]
    inputs = options(*zip(*cases, strict=True), "float64")
    for result, sign in zip(FOLDER.expected(5, "float64", options={}, inputs=inputs), (1, -1), strict=True):
        for found, (price, strike, years) in zip(result, cases, strict=True):
            drift, spread = (RATE - VOLATILITY**2 / 2) * years, VOLATILITY * years**0.5

            def payoff(z, price=price, strike=strike, drift=drift, spread=spread, sign=sign):
                gain = max(sign * (price * np.exp(drift + spread * z) - strike), 0)
                return gain * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

            edge = float((np.log(strike / price) - drift) / spread)
            low, high = (edge, max(edge, 0) + 12) if sign == 1 else (min(edge, 0) - 12, edge)
            mean, _ = integrate.quad(payoff, low, high, epsabs=1e-13, epsrel=1e-12, limit=200)
            assert found == pytest.approx(np.exp(-RATE * years) * mean, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, HOST))
def test_without_volatility_an_option_is_worth_what_is_known_today(run, name, dtype):
    """With hardly any volatility, a call is worth max(price - strike exp(-rate years), 0).

    A put is worth max(strike exp(-rate years) - price, 0).
    """
    inputs = options((50, 10, 20, 30), (20, 30, 10, 49), (1, 2, 0.5, 0.25), dtype, volatility=0.001)
    call, put = run(name, dtype, inputs, 4)
    gain = [50 - 20 * np.exp(-0.02), 10 - 30 * np.exp(-0.04), 20 - 10 * np.exp(-0.01), 30 - 49 * np.exp(-0.005)]
    assert np.allclose(call, np.maximum(gain, 0), rtol=0, atol=100 * np.finfo(dtype).eps * 50)
    assert np.allclose(put, np.maximum(np.negative(gain), 0), rtol=0, atol=100 * np.finfo(dtype).eps * 50)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_admits_no_lower_precision(dtype):
    size, less = 1000, np.float32 if dtype == "float64" else np.float16
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(3), options={})
    expected = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    bounds = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=expected)
    rounded = {name: np.asarray(value).astype(less) for name, value in inputs.items()}
    for wrong, right, bound in zip(
        FOLDER.expected(size, dtype, options={}, inputs=rounded), expected, bounds, strict=True
    ):
        assert np.mean(np.abs(wrong - right) > bound) > 0.5


def errors(inputs, results, dtype):
    """Return (whether all elements are within their tolerances, largest ratio of an error metric to its bound)."""
    size = inputs["price"].size
    expected = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    bounds = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=expected)
    given = {"options": {}, "inputs": inputs, "results": dict(zip(("call", "put"), results, strict=True))}
    found = FOLDER.error_metrics(size, dtype, **given, expected=expected).values()
    within = all((np.abs(r - e) <= b).all() for r, e, b in zip(results, expected, bounds, strict=True))
    return within, max(error / most for error, most in found)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_nine_in_ten_errors_are_small(run, name, dtype):
    inputs = FOLDER.inputs(2000, dtype, rng=np.random.default_rng(1), options={})
    within, nine_in_ten = errors(inputs, run(name, dtype, inputs, 8, 2000), dtype)
    assert within
    assert nine_in_ten < 1 / 4


@pytest.mark.parametrize("factor", [1, 1 + 1e-5])
def test_an_inaccurate_constant_is_within_the_tolerance_of_the_worst_alone(factor):
    """A relative error of 1e-5 in d1 and d2 is within the tolerance, but exceeds the bound of the 0.9 quantile.

    A logarithm with five correct digits causes such an error. Rounding alone stays far below the bound.
    """
    inputs = FOLDER.inputs(100_000, "float32", rng=np.random.default_rng(2), options={})
    price, strike, years = (inputs[name].astype("float64") for name in ("price", "strike", "years"))
    spread, present = VOLATILITY * np.sqrt(years), strike * np.exp(-RATE * years)
    d1 = (np.log(price / strike) + (RATE + VOLATILITY**2 / 2) * years) / spread
    call = price * ndtr(d1 * factor) - present * ndtr((d1 - spread) * factor)
    within, nine_in_ten = errors(
        inputs, (call.astype("float32"), (call - price + present).astype("float32")), "float32"
    )
    assert within
    assert (nine_in_ten < 0.1) == (factor == 1)
    assert (nine_in_ten > 1) == (factor > 1)


@pytest.mark.processes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [n for n in HOST if n.startswith(LOOPS) and not is_fast(n)])
def test_limits_and_what_is_no_number_are_as_in_numpy(run, name, dtype):
    """Results agree with NumPy's if prices, strikes or years are 0, infinite or NaN, and if the volatility is 0.

    No exception is raised.
    """
    values = (0.0, 1.0, 30.0, np.inf, np.nan)
    price, strike, years = np.array(np.meshgrid(values, values, values)).reshape(3, -1)
    for volatility in (0.0, VOLATILITY):
        inputs = options(price, strike, years, dtype, volatility)
        with np.errstate(all="ignore"):
            results = (run(each, dtype, inputs, 8, price.size) for each in (name, "numpy_black_scholes"))
            assert all(np.allclose(*pair, rtol=1e-5, atol=1e-4, equal_nan=True) for pair in zip(*results, strict=True))
