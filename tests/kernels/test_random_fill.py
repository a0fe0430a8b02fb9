"""Tests of the randomness of random_fill, by more statistics than a measurement checks, and tests of these statistics.

Generators have fixed seeds, so that results are reproducible. With random seeds, a sound generator would exceed a
limit of 5 sigma about once in 30 000 runs of this file.
"""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench import backends
from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.verify.comparison import within

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "random_fill")
COUNT = 1 << 17
SIGMAS = 5
BINS = 256
LAGS = (1, 2, 3, 4, 16, 64, 256, 4096)


def available(backend):
    try:
        return bool(backends.modules()[backend].probe(backend))
    except (backends.Unavailable, ImportError):
        return False


# Implementations that can run here: those of available backends, and any in CUDA C or OpenCL
HERE = [
    name
    for name, implementation in FOLDER.implementations.items()
    if implementation.toolchain == "cuda" or implementation.backend == "pyopencl" or available(implementation.backend)
]


def deviations(x):
    """Return {statistic: deviation} of float64 numbers from uniform ones, in standard deviations."""
    n = x.size
    centred = x - 0.5
    differences = {
        "mean": centred.mean() / np.sqrt(1 / 12 / n),
        # the fourth central moment is 1/80
        "variance": (np.square(centred).mean() - 1 / 12) / np.sqrt((1 / 80 - 1 / 144) / n),
        "bins": chi_square(np.floor(x * BINS), BINS),
        "low bits": chi_square(np.floor(x * BINS * BINS) % BINS, BINS),
        "pairs": chi_square(np.floor(x[::2] * 16) * 16 + np.floor(x[1::2] * 16), 256),
    }
    for lag in LAGS:
        products = centred[lag:] * centred[:-lag]
        differences[f"lag {lag}"] = products.mean() / np.sqrt(1 / 144 / products.size)
    return differences


def chi_square(cells, count):
    """Return the normalised deviation of Pearson's statistic of integers that should be uniform on [0, count).

    The cube root of the statistic is nearly normal (Wilson and Hilferty, The Distribution of Chi-Square, PNAS 17,
    1931).
    """
    seen = np.bincount(cells.astype(int).clip(0, count - 1), minlength=count)
    statistic = np.square(seen - cells.size / count).sum() * count / cells.size
    freedom = count - 1
    return (np.cbrt(statistic / freedom) - (1 - 2 / (9 * freedom))) / np.sqrt(2 / (9 * freedom))


def suspicious(x):
    return {name: round(float(by), 1) for name, by in deviations(x).items() if not abs(by) <= SIGMAS}


@pytest.fixture(scope="module")
def fill(tmp_path_factory):
    """Return a function that returns `times` fills by one generator, as a float64 array of shape (times, size)."""
    run = Runner(FOLDER, tmp_path_factory.mktemp("built"))

    def fills(name, dtype, size, times):
        with run.prepared(name, dtype, {}, 64, size) as call:
            return np.array([call()[0] for _ in range(times)], np.float64)

    return fills


@pytest.mark.slow
@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize("name", HERE)
def test_numbers_are_uniform_and_independent(fill, name, dtype):
    fills = fill(name, dtype, COUNT // 4, 4)
    assert not suspicious(fills.reshape(-1))
    assert not suspicious(fills[:2].T.reshape(-1)), "a fill depends on the fill before it"


@pytest.mark.slow
@pytest.mark.parametrize("name", HERE)
def test_precision(fill, name):
    """float64 numbers have at least 32 random bits, and float32 numbers at least 23."""
    for dtype, bits in (("float64", 32), ("float32", 23)):
        x = fill(name, dtype, 4099, 1)[0]
        assert np.any(x * 2.0 ** (bits - 1) % 1), dtype


def bad_constant(n):
    return np.full(n, 0.5)


def bad_ramp(n):
    return np.arange(n) / n


def bad_shifted(n):
    return np.random.default_rng(1).random(n) * 0.98


def bad_repeated(n):
    return np.repeat(np.random.default_rng(1).random(n // 2), 2)


def bad_coarse(n):
    return np.random.default_rng(1).integers(1024, size=n) / 1024


def bad_narrow_generator(n):
    """Return numbers of a linear congruential generator of 16 bits, which repeats its sequence."""
    x = np.empty(n)
    state = 1
    for i in range(n):
        state = (state * 25173 + 13849) % 65536
        x[i] = state / 65536
    return x


def bad_bands(n):
    """Return numbers in two bands, with correct mean and variance (0.08 + 0.2**2 / 12)."""
    rng = np.random.default_rng(1)
    return 0.5 + rng.choice([-1, 1], n) * (np.sqrt(0.08) + 0.2 * (rng.random(n) - 0.5))


@pytest.mark.parametrize(
    "bad",
    [bad_constant, bad_ramp, bad_shifted, bad_repeated, bad_coarse, bad_narrow_generator, bad_bands],
    ids=lambda f: f.__name__,
)
def test_bad_numbers_are_noticed(bad):
    assert suspicious(bad(COUNT))


def test_good_numbers_pass():
    for seed in range(100):
        assert not suspicious(np.random.default_rng(seed).random(COUNT // 16))


def bad_threads(n):
    """Return numbers that two threads draw from generators with the same seed."""
    return np.tile(np.random.default_rng(1).random(n // 2), 2)


def validate(out, again, dtype="float64"):
    within(
        FOLDER.error_metrics(
            out.size,
            dtype,
            options={},
            inputs={},
            results={"out": out.astype(dtype), "again": {"out": again.astype(dtype)}},
            expected=(None,),
        )
    )


@pytest.mark.parametrize(
    ("bad", "metric"),
    [
        (bad_constant, "variance"),
        (bad_ramp, "product of neighbours"),
        (bad_shifted, "mean"),
        (bad_repeated, "product of neighbours"),
        (bad_coarse, "numbers drawn twice"),
        (bad_narrow_generator, "numbers drawn twice"),
        (bad_bands, "distribution"),
        (bad_threads, "numbers drawn twice"),
    ],
)
@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
def test_a_measuring_notices_bad_numbers(bad, metric, dtype):
    with pytest.raises(WrongResult, match=f"^{metric}: "):
        validate(bad(COUNT), np.random.default_rng(2).random(COUNT), dtype)


@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize("size", [4, 31, 1000, COUNT])
def test_a_generator_begun_anew_by_each_call_is_noticed(size, dtype):
    x = np.random.default_rng(1).random(size)
    with pytest.raises(WrongResult, match="repeated from the previous call"):
        validate(x, x, dtype)


@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
def test_a_measuring_condemns_no_good_numbers(dtype):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        for size in (0, 1, 2, 31, 1000, COUNT // 2):
            validate(rng.random(size, dtype), rng.random(size, dtype), dtype)
