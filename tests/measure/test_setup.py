"""Tests of the random conditions of a repetition, under which its workers start."""

import json
import os
import subprocess
import sys

import pytest

from accelbench import config
from accelbench.backends import host
from accelbench.measure import environment
from accelbench.measure.setup import INPUT_SEEDS, MOST_BYTES, Setup
from accelbench.processes.supervision import FURTHER, clean_environment, inherit, inherited_settings

SEEING = '''
"""Logs the hash seed, padding, array places and inputs of its process."""

import json
import os


def run(x, y):
    y[:] = 2 * x
    places = [array.ctypes.data % 4096 for array in (x, y)]
    seen = [hash("accelbench"), len(os.environ["ACCELBENCH_PADDING"]), places, x[:3].tolist()]
    with open({path!r}, "a") as file:
        file.write(json.dumps(seen) + "\\n")
'''


def test_a_setup_follows_from_seed_and_number_alone():
    drawn = [Setup.of(7, number) for number in range(1, 9)]
    assert drawn == [Setup.of(7, number) for number in range(1, 9)]
    assert len({setup.hash_seed for setup in drawn}) == len({setup.page_seed for setup in drawn}) == len(drawn)
    assert len({setup.padding for setup in drawn}) > len(drawn) // 2
    assert all(0 <= setup.padding < MOST_BYTES for setup in drawn)
    assert {setup.input_seed for setup in drawn} == set(range(7, 7 + INPUT_SEEDS))
    assert Setup.of(8, 1) != Setup.of(7, 1)


def test_no_setup_draws_nothing():
    """Checks, profiles and single cases do not compare repetitions, so their conditions are fixed."""
    assert Setup(3).variables == {"PYTHONHASHSEED": "0", "ACCELBENCH_PAGE_SEED": "0", "ACCELBENCH_PADDING": ""}


# Environment variables of Python, NumPy, glibc, JAX and compilers that change which code runs or how fast
HIDDEN = ["PYTHONMALLOC", "PYTHONDEVMODE", "NPY_DISABLE_CPU_FEATURES", "NUMPY_MADVISE_HUGEPAGE", "MALLOC_ARENA_MAX"]
HIDDEN += ["GLIBC_TUNABLES", "LD_PRELOAD", "LD_BIND_NOW", "XLA_FLAGS", "JAX_ENABLE_X64", "CPATH", "LIBRARY_PATH"]


@pytest.mark.parametrize("name", HIDDEN)
def test_what_nobody_records_reaches_no_worker_and_no_compiler(monkeypatch, tmp_path, name):
    monkeypatch.setenv(name, "1")
    assert name not in clean_environment()
    assert name not in environment.recorded(environment.variables(1, "cpu", tmp_path))


def test_a_variable_that_the_configuration_names_is_inherited_and_recorded(monkeypatch, tmp_path):
    monkeypatch.setenv("MALLOC_ARENA_MAX", "1")
    monkeypatch.setenv(FURTHER, "")
    inherit(config.parse({"variables": ["MALLOC_ARENA_MAX"]}).variables)
    assert clean_environment()["MALLOC_ARENA_MAX"] == "1"
    assert environment.recorded(environment.variables(1, "cpu", tmp_path))["MALLOC_ARENA_MAX"] == "1"


def test_the_choice_of_a_device_and_folders_are_no_part_of_a_record(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    assert {"PATH", "CUDA_VISIBLE_DEVICES"} <= clean_environment().keys()
    assert clean_environment()["PYTHONPATH"].endswith(":/somewhere")
    assert not {"PATH", "PYTHONPATH", "HOME", "CUDA_VISIBLE_DEVICES"} & inherited_settings().keys()


def test_what_is_drawn_is_no_part_of_a_record(tmp_path):
    chosen = environment.variables(1, "cpu", tmp_path) | Setup.of(1, 1).variables
    assert not environment.recorded(chosen).keys() & Setup(0).variables.keys()


MULTIPLYING = """
import time
import numpy as np
a = np.ones((400, 400))
for _ in range(3):
    a @ a
begin = time.process_time()
time.sleep(0.1)
print(time.process_time() - begin)
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core has no threads that wait")
def test_threads_of_a_matrix_product_soon_leave_their_cores_to_whoever_comes_next(tmp_path):
    """Threads of OpenBLAS stop spinning soon after a product. By default, they spin for 2**26 cycles, about 25 ms."""
    environs = clean_environment() | environment.variables(2, "cpu", tmp_path)
    told = subprocess.run([sys.executable, "-c", MULTIPLYING], env=environs, capture_output=True, text=True, check=True)
    assert float(told.stdout) < 0.01


@pytest.mark.parametrize("shape", [(3,), (1000, 7), (2_000_000,)])
def test_arrays_begin_at_cache_lines_that_the_seed_chooses(monkeypatch, shape):
    places = {}
    for seed in ("1", "1", "2"):
        monkeypatch.setenv("ACCELBENCH_PAGE_SEED", seed)
        session = host.Session("numpy", None)
        arrays = [session.empty(shape, "float64") for _ in range(8)]
        places.setdefault(seed, []).append([array.ctypes.data % host.PAGE for array in arrays])
        assert all(session.intact(array) for array in arrays)
        assert all(place % host.ALIGNMENT == 0 for place in places[seed][-1])
    assert places["1"][0] == places["1"][1] != places["2"][0]
    assert len(set(places["1"][0])) > 4


def test_hashes_differ_between_setups():
    seen = set()
    for number in (1, 2):
        env = os.environ | Setup.of(1, number).variables
        code = "import os; print(hash('a'), len(os.environ['ACCELBENCH_PADDING']))"
        seen.add(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)
    assert len(seen) == 2


def test_each_repetition_has_its_own_and_inputs_of_two_seeds(bench, tmp_path):
    path = tmp_path / "seen"
    bench.write("numpy_seeing.py", SEEING.format(path=str(path)))
    bench.settings["protocol"]["repetitions"] = 3
    assert bench.measure()["numpy_seeing"].outcome == "ok"
    seen = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({line[0] for line in seen}) == 3
    assert len({line[1] for line in seen}) == 3
    assert len({str(line[2]) for line in seen}) >= 3
    first_inputs = {str(line[3]) for line in seen}
    assert len(first_inputs) >= 2
