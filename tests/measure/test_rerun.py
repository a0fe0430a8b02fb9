"""Tests of `accelbench case`, which runs a single case and prints the steps of the run."""

import platform
import re

import pytest

from accelbench.errors import InputError
from accelbench.measure.rerun import case
from accelbench.store import files

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")
PLAIN = "doubling/numpy_multiply/float64/1000/cpu/threads=1"


def told(bench, name):
    lines = []
    right = case(name, bench.config(), tell=lines.append, home=bench.results)
    return right, "\n".join(lines)


def test_a_right_case_tells_every_step_and_its_times(bench):
    right, text = told(bench, PLAIN)
    assert right
    for step in ("environment", "open", "threads", "prepare", "first", "again"):
        assert re.search(rf"^  {step} ", text, re.M), step
    seconds, low, high = map(float, re.search(r"compute +(\S+) s \((\S+) to (\S+)\), 20 samples", text).groups())
    assert 0 < low <= seconds <= high < 1e-3
    assert text.endswith("outcome ok")


def test_it_leaves_what_others_write_beside_it(bench):
    """`accelbench case` changes no folder of a concurrent check, although both write to `scratch`."""
    others = [bench.results / "scratch" / kernel / platform.node() / "tmp" / "mine" for kernel in ("doubling", "other")]
    for file in others:
        files.write(file, "kept")
    before = {path for path in (bench.results / "scratch").rglob("*") if path.is_file()}
    assert told(bench, PLAIN)[0]
    assert {path for path in (bench.results / "scratch").rglob("*") if path.is_file()} == before
    assert not [*(bench.results / "scratch").glob("case-*")]


def test_a_wrong_one_says_where(bench):
    bench.write("numpy_wrong.py", '"""Off by one."""\n\n\ndef run(x, y):\n    y[:] = 2 * x\n    y[7] += 1\n')
    right, text = told(bench, PLAIN.replace("multiply", "wrong"))
    assert not right
    assert re.search(r"outcome wrong_result: .*\[7\]", text)


def test_what_is_tuned_says_with_what(tuned_bench):
    right, text = told(tuned_bench, PLAIN.replace("multiply", "steps_tuned"))
    assert right, text
    assert "tuned   step=1: the first parameters of numpy_steps, as this command runs no sweep" in text


def test_what_the_configuration_does_not_ask_for_is_run_too(bench):
    right, text = told(bench, "doubling/numpy_multiply/float64/1001/cpu/threads=1")
    assert right, text


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (PLAIN.replace("/cpu/", "/nvidia-h100/"), "no case on this machine.*numpy_multiply/float64/1000/cpu"),
        (PLAIN.replace("multiply", "divide"), "'numpy_divide' matches no implementation"),
        (PLAIN.replace("float64", "int8"), "'int8' is not one of its dtypes"),
        (PLAIN.replace("1000", "many"), "must be a whole number"),
        ("doubling", "is not a valid name of a case"),
    ],
)
def test_what_is_no_case_is_refused_with_what_there_is(bench, name, problem):
    with pytest.raises(InputError, match=problem):
        told(bench, name)


C = "float twice_float(float x) { return 2 * x; }\ndouble twice_double(double x) { return 2 * x; }\n"


def test_the_code_of_a_compiled_case_is_the_assembly_of_its_library(bench):
    bench.write("doubling.c", C)
    bench.write("ctypes_c.py", '"""C."""\n\nSOURCES = ["doubling.c"]\n\n\ndef run(x, y):\n    y[:] = 2 * x\n')
    right, text = shown(bench, PLAIN.replace("numpy_multiply", "ctypes_c"))
    assert right, text
    assert re.search(r"<twice_double>:\n +[0-9a-f]+:\t\w+ ", text)
    assert "samples" not in text


def test_the_code_of_a_numba_case_is_what_numba_makes_of_its_function(bench, capfd):
    bench.write("numba_njit.py", NUMBA)
    right, text = shown(bench, PLAIN.replace("numpy_multiply", "numba_njit"))
    assert right, text
    assert re.search(r"ASSEMBLY run-*\n(.*\n)*.*ret", capfd.readouterr().out)


def test_what_no_compiler_made_a_file_of_has_no_code_to_show(bench):
    right, text = shown(bench, PLAIN)
    assert right
    assert "code    none to show" in text


NUMBA = '''"""Numba."""

import numba


@numba.njit
def run(x, y):
    for i in range(x.size):
        y[i] = 2 * x[i]
'''


def shown(bench, name):
    lines = []
    return case(name, bench.config(), code=True, tell=lines.append, home=bench.results), "\n".join(lines)
