"""What is worth measuring more of, in invented results whose truth is known."""

import pytest
from synthetic_records import record, save

from accelbench.analysis import Analysis
from accelbench.analysis.undetermined import MOST_REPETITIONS, undetermined
from accelbench.store.load import load_results

SCATTER = (0.93, 1.08, 0.95, 1.06, 1.0)  # of a time over five repetitions
STEADY = (1.0, 1.001, 0.999, 1.0005, 0.9995)
REPETITIONS = tuple(f"p{number}" for number in range(5))


def case(implementation, seconds, scatter=STEADY, size=1000, repetitions=REPETITIONS, **fields):
    times = tuple(seconds * factor for factor in (scatter * 3)[: len(repetitions)])
    return record(implementation, size, compute=times, repetitions=repetitions, **fields)


def found(tmp_path, *records):
    cases = undetermined(Analysis(load_results(save(tmp_path, *records)))).get("thing", set())
    return {name.split("/")[1] + "/" + name.split("/")[3] for name in cases}


def test_what_is_decided_is_left_alone(tmp_path):
    fast, slow = case("cffi_api", 0.5), case("numba_njit", 2.0)
    assert found(tmp_path, case("numpy_thing", 1.0), fast, slow) == set()


def test_two_that_may_win_are_measured_again_with_the_baseline(tmp_path):
    rivals = case("cffi_api", 0.5), case("numba_njit", 0.49, SCATTER)
    wanted = {"numpy_thing/1000", "cffi_api/1000", "numba_njit/1000"}
    assert found(tmp_path, case("numpy_thing", 1.0), *rivals, case("ctypes_c", 3.0)) == wanted


def test_two_that_are_the_same_are_not(tmp_path):
    rivals = case("cffi_api", 0.5), case("numba_njit", 0.5005)
    assert found(tmp_path, case("numpy_thing", 1.0), *rivals) == set()


@pytest.mark.parametrize("another", [0.5, 2.0])
def test_whether_anything_beats_numpy_matters_where_nothing_surely_does(tmp_path, another):
    """The winner's place apart: the baseline itself takes part in that."""
    maybe, sure = case("cffi_api", 0.97, SCATTER), case("numba_njit", another)
    wanted = set() if another < 1 else {"numpy_thing/1000", "cffi_api/1000"}
    assert found(tmp_path, case("numpy_thing", 1.0), maybe, sure) == wanted


def test_sizes_beside_a_crossover_are_measured_again(tmp_path):
    sizes = {10: (2.0, STEADY), 100: (0.98, SCATTER), 1000: (0.5, STEADY)}
    records = [case("numpy_thing", 1.0, size=size) for size in sizes]
    records += [case("cffi_api", *of, size=size) for size, of in sizes.items()]
    # A faster one, lest it be for who wins.
    records += [case("ctypes_c", 0.2, size=size) for size in sizes]
    assert found(tmp_path, *records) == {"numpy_thing/100", "cffi_api/100"}
    always = [case("cffi_api", 0.5, size=10) if r.implementation == "cffi_api" and r.size == 10 else r for r in records]
    (tmp_path / "other").mkdir()
    assert found(tmp_path / "other", *always) == set()


def test_nothing_is_measured_for_ever(tmp_path):
    names = tuple(f"p{number}" for number in range(MOST_REPETITIONS))
    rivals = case("cffi_api", 0.5, repetitions=names), case("numba_njit", 0.49, SCATTER, repetitions=names)
    assert found(tmp_path, case("numpy_thing", 1.0, repetitions=names), *rivals) == set()
