"""black_scholes: prices by an integral over what the stock may be worth, and limits that need no formula."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, Runner, parameters
from scipy import integrate

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "black_scholes")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
RATE, VOLATILITY = 0.02, 0.3


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Runner(FOLDER, tmp_path_factory.mktemp("black_scholes"))


def options(price, strike, years, dtype, volatility=VOLATILITY):
    arrays = (np.array(numbers, dtype) for numbers in (price, strike, years))
    real = np.dtype(dtype).type
    names = ("price", "strike", "years", "rate", "volatility")
    return dict(zip(names, (*arrays, real(RATE), real(volatility)), strict=True))


def test_reference_is_the_expected_payoff_discounted():
    """Of a price whose logarithm is normally distributed: the mean of max(S - strike, 0), by quadrature."""
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
    """max(price - strike exp(-rate years), 0) for a call, and the other way round for a put."""
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
