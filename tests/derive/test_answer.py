"""Tests of the recommendation that `try` derives from measured times, and of its output and exit status."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accelbench.cli import trying
from accelbench.cli.commands import app
from accelbench.derive import answer
from accelbench.derive.answer import Row
from accelbench.derive.trying import ABSENT, NO_GPU, REFUSED, RIGHT, WRONG, Outcome
from accelbench.model.record import Record
from accelbench.processes.supervision import with_package
from accelbench.store import files

FUNCTION = '''"""A user's file."""
import numpy as np


def pairwise(points):
    n = points.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = np.sqrt(np.sum((points[i] - points[j]) ** 2))
    return out
'''


class Observation:
    name, scales, sizes = "f", True, {20: None, 2000: None}


def row(name, seconds, first_s=0.0, faster=None):
    faster = {20: True, 2000: True} if faster is None else faster
    return Row(name, seconds, 4e-3 / seconds, None, None, first_s, 2, "first look", faster, 1)


def last_line(found):
    """Return the line that recommends one of the rows `found`."""
    lines = answer.answer(found, [], Observation).splitlines()
    return next(line for line in lines if line.startswith(("Take", "Stay")))


NUMPY = row("numpy_derived", 4e-3, faster={20: False, 2000: False})


def test_what_compiles_for_long_pays_above_many_calls():
    found = [row("pythran_derived", 43e-6, 23.0), row("numba_njit", 74e-6, 0.9), NUMPY]
    taken, later = answer.take(found)
    assert taken.name == "numba_njit"
    ((faster, calls),) = later
    assert faster.name == "pythran_derived"
    assert calls == pytest.approx((23.0 - 0.9) / (74e-6 - 43e-6))
    line = last_line(found)
    assert (
        line == "Take numba_njit, faster than NumPy at every size measured. "
        "pythran_derived pays off above 700,000 calls (its first call takes 23 s)."
    )


def test_the_size_from_which_it_is_faster_is_told():
    found = [row("numba_njit", 74e-6, faster={20: False, 2000: True}), NUMPY]
    assert last_line(found) == "Take numba_njit, faster than NumPy from n = 2000 on."


def test_the_recommended_file_can_be_used():
    def use(taken):
        lines = answer.answer([taken, NUMPY], [], Observation).splitlines()
        return [line for line in lines if line.startswith("Use: ")]

    assert use(row("numba_njit", 74e-6)) == ["Use: cp derived/f/numba_njit.py .    Then: from numba_njit import f"]
    (line,) = use(row("jax_jit", 74e-6))
    assert line.startswith("Use: cp derived/f/jax_jit.py .    Then: in .venv-jax/bin/python, with ")
    assert line.endswith("from jax_jit import _compiled as f")
    built = replace(row("pythran_derived", 74e-6), built="pythran/_pythran_f-12/_pythran_f.cpython-311.so")
    copied = "Use: cp results/derived/build/f/pythran/_pythran_f-12/*.so ."
    assert use(built) == [f"{copied}    Then: from _pythran_f import f"]
    assert use(replace(NUMPY, seconds=1e-3)) == []


@pytest.mark.parametrize(("state", "is_offered"), [(NO_GPU, False), (RIGHT, True)])
def test_skeletons_for_a_gpu_need_one(state, is_offered):
    outcomes = [Outcome("cupy_derived", state, "at least 140.0 ms")]
    line = answer.answer([NUMPY], outcomes, Observation).splitlines()[-1]
    assert line.startswith("Write one by hand: python -m accelbench new f cffi_api --directory derived")
    assert ("cupy_raw" in line) == is_offered


@pytest.mark.parametrize("found", [[NUMPY], [row("jax_jit", 5e-3, faster={20: True, 2000: False}), NUMPY]])
def test_numpy_stays_where_nothing_is_faster_at_the_largest_size(found):
    assert last_line(found) == "Stay with NumPy."


def test_numpy_stays_where_compiling_costs_more_than_all_calls_save():
    found = [row("pythran_derived", 1e-7, 23.0), row("numpy_derived", 2e-7, faster={20: False})]
    assert answer.take(found)[0].name == "numpy_derived"


def test_each_contestant_has_a_line():
    outcomes = [
        Outcome("numba_njit", RIGHT, ""),
        Outcome("jax_jit", REFUSED, "line 8: the length of a slice is not fixed"),
        Outcome("numba_parallel", WRONG, "computes other results: y"),
        Outcome("torch_compile", ABSENT, "make install LOCK=torch"),
    ]
    lines = answer.answer([row("numba_njit", 74e-6, 0.9), NUMPY], outcomes, Observation).splitlines()[1:5]
    assert [line.split()[:2] for line in lines] == [
        ["numba_njit", "54.1x"],
        ["jax_jit", "-"],
        ["numba_parallel", "-"],
        ["torch_compile", "-"],
    ]
    assert "WRONG: computes other results" in lines[2]


def test_terminal_has_plain_spaces_alone():
    told = answer.answer([row("numba_njit", 1230.0), NUMPY], [], Observation)
    assert "1 230 s" in told
    assert not {c for c in told if c.isspace()} - {" ", "\n"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mine.py", "--args", "1.0"], "mine.py: names no function. Write: FILE.py:FUNCTION"),
        (["mine.py:", "--args", "1.0"], "mine.py:: names no function. Write"),
        (["mine.py:pairwise"], "mine.py:pairwise: no arguments for the function are given. Write"),
        (
            ["mine.py:pairwise", "--args", "1.0", "--from", "script.py"],
            "the arguments of the function are given twice, by --args and by --from",
        ),
        (
            ["mine.py:pairwise", "--args", "n", "--size", "0"],
            "'--size': Input should be greater than or equal to 1",
        ),
        (["mine.py:pairwise", "--args", "n", "--size", "10", "-5"], "No such option: -5"),
        (
            ["mine.py:pairwise", "--args", "n", "--size", "-5"],
            "'--size': Input should be greater than or equal to 1",
        ),
        (
            ["mine.py:pairwise", "--args", "n", "--size", "large"],
            "'--size': Input should be a valid integer",
        ),
        (
            ["mine.py:pairwise", "--args", "n", "--size", "--json"],
            "'--size': Input should be a valid integer",
        ),
        (["mine.py:pairwise", "--args", "n", "--size"], "Option '--size' requires an argument"),
    ],
)
def test_what_cannot_be_used_is_one_message(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["try", *words])
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.py:f", "--args", "1.0"], "error: nothing.py:f: there is no Python file nothing.py. Name the file"),
        (
            ["mine.py:pairwise", "--args", "rng.random((n, 3))"],
            "--args uses n. Give sizes: --size 1000",
        ),
        (
            ["mine.py:pairwise", "--args", "np.float64(1.0)"],
            "error: mine.py:pairwise: the function fails in line 6: IndexError: tuple index out of range. Correct",
        ),
        (
            ["mine.py:pairwise", "--setup", "import os", "--args", "os._exit(3)"],
            "the process that calls the function ended with status 3: it printed nothing. Choose smaller",
        ),
    ],
)
def test_what_the_process_refuses_is_one_message(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FUNCTION)
    result = CliRunner().invoke(app, ["try", *words])
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert len(result.output.splitlines()) == 1


def test_the_cause_is_told_by_whatever_knows_it(tmp_path, monkeypatch):
    """The cause of a failure comes from the run's error, the log of a failed stage, or the record of a case."""
    monkeypatch.chdir(tmp_path)
    files.write(trying.LOG, "an earlier line\nerror: results/.lock: another process runs the workflow here. Wait\n")
    assert trying.cause("f", 2) == "results/.lock: another process runs the workflow here. Wait"
    assert trying.cause("f", 1) == "the run ends with status 1"
    stage = trying.RESULTS / "logs" / "build_kernel" / "f" / "cython.log"
    files.write(stage, "2026-01-01 00:00:00,000 ERROR No space left on device\n")
    assert trying.cause("f", 1) == "No space left on device"
    stage.unlink()
    known = {"machine": "derived", "kernel": "f", "dtype": "float64", "device": "cpu", "threads": 1, "size": 10}
    known |= {"implementation": "numpy_derived", "backend": "numpy", "outcome": "timeout"}
    record = Record(**known, reason="no answer within 60 s")
    files.write(trying.RESULTS / "timings" / "f.jsonl", record.model_dump_json() + "\n")
    assert trying.cause("f", 0) == "no answer within 60 s"


@pytest.mark.slow
def test_a_function_is_tried_from_a_terminal(tmp_path):
    """`try` derives, checks, builds, measures and reports from a terminal, and leaves the user's file unchanged."""
    (tmp_path / "mine.py").write_text(FUNCTION)
    words = ["try", "mine.py:pairwise", "--args", "rng.random((n, 3))", "--size", "8", "40", "--once", "--json"]
    command = [sys.executable, "-m", "accelbench", *words]
    done = subprocess.run(command, cwd=tmp_path, env=with_package({"PATH": "/usr/bin:/bin"}), capture_output=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["sizes"] == [8, 40]
    assert {each["name"]: each["state"] for each in told["contestants"]}["numba_njit"] == RIGHT
    assert told["take"] != "numpy_derived"
    assert {each["name"] for each in told["measured"]} >= {"numpy_derived", "numba_njit"}
    assert (tmp_path / "mine.py").read_text() == FUNCTION
    assert (tmp_path / "reports" / "derived" / "index.html").is_file()
    checked = [sys.executable, "-m", "accelbench", "check", "derived/pairwise/numba_njit.py"]
    assert subprocess.run(checked, cwd=tmp_path, env=with_package({"PATH": "/usr/bin:/bin"})).returncode == 0
