"""`run --settle`."""

import re

import pytest
from twice import KERNEL, shell, write_config

from accelbench.cli import settle as settling_of_runs
from accelbench.errors import InputError
from accelbench.store import files, load, settling


@pytest.mark.parametrize("text", ["-1", "0", "x", "nan", "inf", ""])
def test_minutes_are_a_number(text):
    with pytest.raises(InputError, match=r"--settle: .* is no number of minutes"):
        settling_of_runs.minutes_of(text)
    assert settling_of_runs.minutes_of("0.5") == 0.5
    assert settling_of_runs.minutes_of(None) is None


@pytest.fixture
def undecided(monkeypatch):
    """A list of what is undecided before each repetition: sets of ids."""
    answers = []
    monkeypatch.setattr(settling_of_runs, "_undetermined", lambda folders, kernels: answers.pop(0))
    return answers


def test_repetitions_are_added_until_all_is_decided(tmp_path, undecided, capsys):
    undecided += [{(tmp_path, "k"): {"a", "b"}, (tmp_path, "m"): {"c"}}, {(tmp_path, "k"): {"b"}}, {}]
    runs = []
    assert settling_of_runs.settle([tmp_path], {"k", "m"}, lambda: runs.append(1) or 0, minutes=1.0) == 0
    assert len(runs) == 2
    assert settling.read(tmp_path, "k") == {1001: ["a", "b"], 1002: ["b"]}
    assert settling.read(tmp_path, "m") == {1001: ["c"]}
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Settling: 3 cases of k, m, repetition 1 beyond the configuration's"
    assert told[-1] == "Settled:  3 cases at first, 0 undecided after 2 more repetitions"


def test_time_is_up(tmp_path, undecided, capsys):
    undecided += [{(tmp_path, "k"): {"a"}}] * 3
    assert settling_of_runs.settle([tmp_path], {"k"}, lambda: pytest.fail("measured"), minutes=1e-9) == 0
    assert capsys.readouterr().out == "Settled:  1 cases at first, 1 undecided after 0 more repetitions\n"


def test_a_run_that_fails_ends_it(tmp_path, undecided):
    undecided += [{(tmp_path, "k"): {"a"}}] * 3
    assert settling_of_runs.settle([tmp_path], {"k"}, lambda: 3, minutes=1.0) == 3
    assert len(undecided) == 2


def test_nothing_is_undecided(tmp_path, undecided, capsys):
    undecided += [{}]
    assert settling_of_runs.settle([tmp_path], {"k"}, lambda: pytest.fail("measured"), minutes=1.0) == 0
    assert capsys.readouterr().out == "Settled:  nothing that matters is undecided\n"


@pytest.mark.slow
def test_what_is_undecided_is_measured_once_more(tmp_path):
    """From the command to the tables: two programs that do the same work, one of them slow in every other process."""
    place = tmp_path / "my kernels" / "twice"
    files.write(place / "kernel.py", KERNEL)
    files.write(place / "numpy_ufunc.py", '"""As it is."""\ndef run(x, y):\n    y[:] = x + x\n')
    unsteady = (
        f'"""In a process that does it once, or three times, by turns."""\nSTARTED = {str(tmp_path / "started")!r}\n'
        "with open(STARTED, 'a') as file:\n    TURNS = 1 + file.tell() % 2 * 2\n    file.write('.')\n"
        "def run(x, y):\n    for _ in range(TURNS):\n        y[:] = x + x\n"
    )
    files.write(place / "python_unsteady.py", unsteady)
    protocol = {"repetitions": 2, "budget_s": 0.02, "startup": False}
    write_config(tmp_path, dtypes=["float64"], protocol=protocol)
    done = shell("accelbench", "run", "--configfile", "own.yaml", "--settle", "0.01", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Settled:" in done.stdout
    done = shell("accelbench", "run", "--configfile", "own.yaml", "--settle", "0.2", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^Settling: 2 cases of twice, repetition 1 beyond the configuration's$", done.stdout, re.M)
    records = load.load_results(tmp_path / "results" / "local").records
    assert {record.implementation for record in records} == {"numpy_ufunc", "python_unsteady"}
    assert all(len(record.repetitions) > 2 for record in records)
