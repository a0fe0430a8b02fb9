"""Tests of monte_carlo_pi: quality of the generators; implementations of one generator draw identical points."""

import math
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy  # scipy.stats is imported at its first use
from cuda_on_host import compile_source, launch
from run_implementation import CUDA, Runner

from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.verify.comparison import within

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "monte_carlo_pi")
# CUDA implementations are excluded: `accelbench check` tests them on GPUs, and a test below runs the kernels of the two
# .cu files on the host.
NAMES = tuple(name for name, i in FOLDER.implementations.items() if i.backend not in CUDA)
DTYPES = FOLDER.spec.dtypes
# Implementations that draw point i from SplitMix64's numbers 2i and 2i + 1 (float64), or from number i (float32)
SPLITMIX = (
    *("cffi_abi", "cffi_api", "cffi_openmp"),
    *("cython_openmp", "numba_njit", "numba_parallel"),
)
P = math.pi / 4
BOUND = 4  # Maximum deviation, in standard deviations; seeds are fixed, so that results are reproducible


@pytest.fixture(scope="module")
def estimate(tmp_path_factory):
    """Yield estimate(name, dtype, n, seed, block_size=64) -> pi, which builds and calls the implementation `name`."""
    runner = Runner(FOLDER, tmp_path_factory.mktemp("builds"))
    with ExitStack() as stack:

        @cache
        def prepared(name, dtype, n, block_size):
            return stack.enter_context(runner.prepared(name, dtype, given(n, 0), block_size, n))

        yield lambda name, dtype, n, seed, block_size=64: float(prepared(name, dtype, n, block_size)(given(n, seed))[0])


def given(n, seed):
    return {"n": np.int64(n), "seed": np.uint64(seed)}


def hits(pi, n):
    """Return the number of hits of an estimate; check that it is an integer."""
    count = pi * n / 4
    assert abs(count - round(count)) < 1e-6
    return round(count)


def z_scores(estimate, name, dtype, seeds, n=20_000):
    counts = np.array([hits(estimate(name, dtype, n, seed), n) for seed in seeds])
    return (counts - n * P) / math.sqrt(n * P * (1 - P))


def splitmix64(state, count):
    """Return `count` outputs of SplitMix64. Each step adds the integer part of 2**64 / golden ratio to `state`."""
    with np.errstate(over="ignore"):
        z = np.uint64(state) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def splitmix_hits(dtype, n, seed):
    """Return the hits of SplitMix64's points, by exact integers. The sequence starts at the hash of the seed."""
    gamma = 0x9E3779B97F4A7C15
    start = int(splitmix64((int(seed) - gamma) % 2**64, 1)[0])
    before = (start - gamma) % 2**64
    if dtype == "float32":
        bits = splitmix64(before, n)
        x, y, one = bits >> np.uint64(40), (bits & np.uint64(2**32 - 1)) >> np.uint64(8), 2**24
    else:
        bits = splitmix64(before, 2 * n) >> np.uint64(12)
        x, y, one = bits[::2], bits[1::2], 2**52
    return sum(int(a) ** 2 + int(b) ** 2 < one**2 for a, b in zip(x, y, strict=True))


def test_splitmix64_gives_the_published_numbers():
    """The first outputs from state 1234567 agree with Rosetta Code and Java's SplittableRandom(1234567)."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert splitmix64(1234567, 5).tolist() == known


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SPLITMIX)
def test_points_are_those_of_splitmix64(estimate, name, dtype):
    # float32 rounds the sum of squares, so a point within 2**-24 of the circle may fall on either side
    slack = 1 if dtype == "float32" else 0
    for n, seed in ((1, 5), (31, 0), (1000, 2**64 - 1), (20_011, 2**40 + 3)):
        assert abs(hits(estimate(name, dtype, n, seed), n) - splitmix_hits(dtype, n, seed)) <= slack


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block_size", [1, 32, 33, 100, 256])
def test_opencl_draws_the_same_points_at_every_block_size(estimate, block_size, dtype):
    slack = 1 if dtype == "float32" else 0
    for n in (1, block_size, 64 * block_size + 1, 20_011):
        counted = hits(estimate("pyopencl_raw", dtype, n, 77, block_size), n)
        assert abs(counted - splitmix_hits(dtype, n, 77)) <= slack


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_draws_the_same_points_whatever_the_grid(tmp_path, dtype):
    """The variants with one and with two launches run on the host; both reset their counters to 0."""
    library, two = (compile_source(FOLDER.path / f"monte_carlo_pi{s}.cu", tmp_path) for s in ("_one_launch", ""))
    counted, finished = np.zeros(1, np.uint64), np.zeros(1, np.uint32)
    slack = 1 if dtype == "float32" else 0
    for n, seed, blocks, block in ((0, 1, 1, 4), (1, 5, 2, 3), (1000, 2**64 - 1, 5, 7), (20_011, 2**40 + 3, 3, 32)):
        pi = np.full(1, np.nan)
        arguments = [np.int64(n), np.uint64(seed), counted, finished, pi]
        launch(library, f"monte_carlo_pi_{dtype}", (blocks,), (block,), arguments)
        assert abs(hits(pi[0], n) - splitmix_hits(dtype, n, seed)) <= slack
        assert (counted[0], finished[0]) == (0, 0)
        launch(two, f"count_{dtype}", (blocks,), (block,), arguments[:3])
        assert abs(int(counted[0]) - splitmix_hits(dtype, n, seed)) <= slack
        launch(two, "estimate", (1,), (1,), [np.int64(n), counted, estimate := np.empty(1)])
        assert (estimate[0], counted[0]) == (pi[0], 0)


def test_opencl_work_items_take_further_points_where_groups_run_out(estimate):
    n = 8192 * 64 * 2 + 1  # more points than 8192 work-groups of one work-item process at 64 points each
    few, many = (hits(estimate("pyopencl_raw", "float64", n, 3, block_size), n) for block_size in (1, 128))
    assert few == many == hits(estimate("cffi_api", "float64", n, 3), n)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_estimates_over_many_seeds_scatter_as_the_binomial_says(estimate, name, dtype):
    """For 200 similar seeds, z-scores are standard normal, and those of neighbouring seeds are uncorrelated."""
    count = 200
    for seeds in (range(count), [seed << 32 for seed in range(count)]):
        z = z_scores(estimate, name, dtype, seeds)
        assert len(np.unique(z)) > count / 2
        assert abs(z.mean()) < BOUND / math.sqrt(count)
        low, high = scipy.stats.chi2.ppf([3e-5, 1 - 3e-5], count - 1) / (count - 1)
        assert low < z.var(ddof=1) < high
        assert scipy.stats.kstest(z, "norm").pvalue > 1e-4
        assert abs(np.corrcoef(z[1:], z[:-1])[0, 1]) < BOUND / math.sqrt(count)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "python_loop"])
def test_hits_beyond_two_to_the_24_are_counted(estimate, name, dtype):
    n = 2**25
    expected = FOLDER.expected(n, dtype, options={}, inputs={"n": np.int64(n)})
    (bound,) = FOLDER.tolerance(n, dtype, options={}, inputs={"n": np.int64(n)}, expected=expected)
    assert abs(estimate(name, dtype, n, 11) - math.pi) < bound


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_few_points(estimate, name, dtype):
    assert estimate(name, dtype, 0, 9) == 0.0
    singles = [estimate(name, dtype, 1, seed) for seed in range(40)]
    assert set(singles) == {0.0, 4.0}  # 40 hits in a row: one chance in 16000
    for n in (2, 31, 1000, 4097):
        assert abs(estimate(name, dtype, n, 2) - math.pi) <= 16 * math.sqrt(P * (1 - P) / n)
        hits(estimate(name, dtype, n, 2), n)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides_the_result(estimate, name, dtype):
    # One in 150 pairs of independent streams has equally many hits, so three sizes are compared.
    sizes = (10_007, 15_013, 20_011)
    seeds = (1, 2, 2**63, 5 * 2**40 + 7, 1)
    results = [tuple(estimate(name, dtype, n, seed) for n in sizes) for seed in seeds]
    assert results[0] == results[-1]
    assert len(set(results)) == 4


def test_specification():
    rng = np.random.default_rng(0)
    inputs = FOLDER.inputs(1000, "float32", rng=rng, options={})
    again = FOLDER.inputs(1000, "float32", rng=rng, options={})
    assert list(inputs) == ["n", "seed"]
    assert inputs["n"] == 1000
    assert isinstance(inputs["n"], np.int64)
    assert isinstance(inputs["seed"], np.uint64)
    assert inputs["seed"] != again["seed"]
    assert FOLDER.expected(1000, "float32", options={}, inputs=inputs) == (math.pi,)
    assert FOLDER.cost(1000, 4, {}) == (16, 8, 4000)


@pytest.mark.parametrize("n", [1, 31, 1000, 10_000_019])
def test_tolerance_is_four_standard_deviations_of_the_estimate(n):
    (bound,) = FOLDER.tolerance(n, "float64", options={}, inputs={"n": np.int64(n)}, expected=(math.pi,))
    assert bound == pytest.approx(4 * scipy.stats.binom(n, P).std() * 4 / n, rel=1e-12)


def test_nothing_is_exact_but_zero_points():
    inputs = {"n": np.int64(0)}
    assert FOLDER.expected(0, "float64", options={}, inputs=inputs) == (0.0,)
    assert FOLDER.tolerance(0, "float64", options={}, inputs=inputs, expected=(0.0,)) == (0.0,)


@pytest.mark.parametrize("n", FOLDER.spec.check_sizes)
def test_half_the_points_are_found_out(n):
    """The tolerance alone would accept most estimates from half of the points.

    The standard deviation of such an estimate is only 1.4 times that of an estimate from all points.
    """

    def metrics(points):
        pi = np.float64(4 * np.random.default_rng(1).binomial(points, P) / points)
        given = {"n": np.int64(n), "seed": np.uint64(0)}
        return FOLDER.error_metrics(n, "float64", options={}, inputs=given, results={"pi": pi}, expected=(None,))

    within(metrics(n))
    with pytest.raises(WrongResult, match="from a whole number"):
        within(metrics(n // 2))
