"""Tests of the verifier: the data that it passes on, and broken kernel.py files."""

import ctypes
import dataclasses
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure.plan import Problem
from accelbench.processes.supervision import clean_environment
from accelbench.rpc.channel import Channel
from accelbench.rpc.messages import ANSWERS, KINDS, CallResult, TruthKey, mapped
from accelbench.rpc.process import Failed
from accelbench.verify.__main__ import VerifierMethods
from accelbench.verify.process import Verifier
from accelbench.verify.truth import Truth
from accelbench.worker.__main__ import Worker

KERNEL = """
import os
import time

import numpy as np

from accelbench.kernel import Kernel, Output

SIZES = {"smoke": (1000,), "default": (1000,), "lecture": (1000,)}
KERNEL = Kernel(
    title="Doubling", size="elements", sizes=SIZES, dtypes=("float64",), baseline="numpy_double",
)

def inputs(size, dtype, rng):
    return {"x": rng.random(size)}

def outputs(size, dtype):
    return (Output("y", (size,), dtype),)

def reference(x, size):
    if size == 500:
        BREAK
    return 2 * x

def tolerance():
    return 0.0

def bytes_moved(size, itemsize):
    return 0, 0

def flops(size):
    return size
"""


def planted(tmp_path, line="pass"):
    (tmp_path / "doubling").mkdir()
    (tmp_path / "doubling" / "kernel.py").write_text(KERNEL.replace("BREAK", line))
    return SimpleNamespace(path=tmp_path / "doubling")


@pytest.fixture
def verifier(tmp_path):
    made = Verifier(20.0, 2 << 30, tmp_path / "scratch")
    yield made
    made.close()


def problem(size):
    return Problem("doubling", {}, size, "float64")


@pytest.mark.parametrize(
    ("line", "outcome", "told"),
    [
        ("os._exit(0)", "error", r"doubling/kernel.py: reference ends the process \(exit status 0\)"),
        ("os.kill(os.getpid(), 11)", "error", r"doubling/kernel.py: reference ends the process \(SIGSEGV\)"),
        ("time.sleep(1000)", "error", r"doubling/kernel.py: reference takes longer than 3 s"),
        ("return np.ones(1 << 40)", "out_of_memory", "do not fit into memory"),
    ],
)
def test_a_reference_that_breaks_costs_its_problem_and_is_named(tmp_path, verifier, line, outcome, told):
    """The failure names the reference, and the verifier still serves the next problem."""
    folder = planted(tmp_path, line)
    verifier.given(folder, problem(10), seed=1, which=0).close()
    verifier.deadline_s = 3.0 if "sleep" in line else 20.0
    with pytest.raises(Failed, match=told) as failed:
        verifier.given(folder, problem(500), seed=1, which=0)
    assert (failed.value.outcome, failed.value.alive) == (outcome, True)
    verifier.deadline_s = 20.0
    given = verifier.given(folder, problem(1000), seed=1, which=0)
    inputs, expected = verifier.arrays(given)
    np.testing.assert_array_equal(expected["y"], 2 * inputs["x"])
    given.close()


def test_what_a_reference_leaves_lies_in_the_scratch_folder(tmp_path, monkeypatch, verifier):
    (tmp_path / "outside").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "outside"))
    folder = planted(tmp_path, "__import__('tempfile').mkdtemp(prefix='left-')")
    verifier.given(folder, problem(500), seed=1, which=0).close()
    assert [path.parent for path in tmp_path.rglob("left-*")] == [tmp_path / "scratch" / "tmp"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core has no threads that wait")
def test_a_reference_made_by_matrix_products_disturbs_nobody_afterwards(tmp_path, monkeypatch, verifier):
    """The verifier uses no CPU time after a matrix product. By default, OpenBLAS's threads would spin for 25 ms."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    folder = planted(tmp_path, "np.ones((400, 400)) @ np.ones((400, 400))")
    given = verifier.given(folder, problem(500), seed=1, which=0)
    verifier.arrays(given)
    before = spent_s(verifier._process.pid(60))
    time.sleep(0.1)
    assert spent_s(verifier._process.pid(60)) - before < 0.01
    given.close()


def spent_s(process):
    """Return the CPU time of a process's threads, in seconds."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def test_where_memory_runs_out_the_kernel_ends_workers_first(tmp_path, verifier):
    verifier.given(planted(tmp_path), problem(10), seed=1, which=0).close()
    own, its = (int(Path(f"/proc/{each}/oom_score_adj").read_text()) for each in ("self", verifier._process.pid(60)))
    assert its == min(1000, own + 500)


def test_a_reference_that_raises_or_changes_its_inputs_is_one_message(tmp_path, verifier):
    """The reference gets read-only inputs, so a reference that changes them fails."""
    folder = planted(tmp_path, "x *= 2")
    with pytest.raises(InputError, match=r"kernel.py:\d+: reference fails for size=500.*read-only"):
        verifier.given(folder, problem(500), seed=1, which=0)


def called(y):
    """Return a worker's answer with the result y."""
    return CallResult(0.1, False, {"y": y}, None)


def test_results_are_compared_there(tmp_path, verifier):
    """The verifier compares results for the original inputs, and for the change of inputs that it has chosen."""
    given = verifier.given(planted(tmp_path), problem(1000), seed=1, which=0)
    inputs = verifier.arrays(given)[0]
    change = verifier.change(given)
    ((name, (places, values)),) = change.changes.items()
    changed = inputs["x"].copy()
    changed[places] = values
    assert (name, len(places)) == ("x", 1)
    assert (changed != inputs["x"]).sum() == 1
    right, other = (called(2 * x) for x in (inputs["x"], changed))
    assert verifier.compare(given, right).errors == {"y": (0.0, 0.0)}
    assert verifier.compare(given, other, changed=True).max_error == 0.0
    for answer, with_change in ((other, False), (right, True)):
        with pytest.raises(Failed, match="y: 1 of 1000 elements differ"):
            verifier.compare(given, answer, with_change)
    given.close()


def test_a_result_of_another_dtype_is_wrong_with_that_as_its_reason(tmp_path, verifier):
    given = verifier.given(planted(tmp_path), problem(1000), seed=1, which=0)
    with pytest.raises(Failed, match="; its dtype is float32 instead of float64"):
        verifier.compare(given, called(np.full(1000, 2, np.float32)))
    given.close()


JUDGED = """

def error_metrics(y, again):
    assert y.shape == again["y"].shape == (1,)
    return {"y by itself": (abs(float(y[0] - again["y"][0])), 0.0)}
"""


def test_a_kernel_judges_results_of_the_shapes_it_declares(tmp_path, verifier):
    """An implementation may return a single value in any shape, but error_metrics receives the declared shape."""
    folder = planted(tmp_path)
    source = folder.path / "kernel.py"
    source.write_text(source.read_text() + JUDGED)
    given = verifier.given(folder, problem(1), seed=1, which=0)
    y = 2 * verifier.arrays(given)[0]["x"]
    for shape in ((), (1,), (1, 1)):
        assert verifier.compare(
            given, dataclasses.replace(called(y.reshape(shape)), again={"y": y.reshape(shape)})
        ).errors == {
            "y": (0.0, 0.0),
            "y by itself": (0.0, 0.0),
        }
    for again, told in (({"z": y}, "it returns the results z, which differ"), ({"y": np.ones(2)}, "y has shape")):
        with pytest.raises(Failed, match=told) as failed:
            verifier.compare(given, dataclasses.replace(called(y), again=again))
        assert failed.value.outcome == "wrong_result"
    given.close()


BY_NORM = """

def tolerance():
    return np.inf

def error_metrics(y, expected):
    return {"norm of the error": (np.linalg.norm(y - expected), 1e-6 * np.linalg.norm(expected))}
"""


def test_a_norm_judges_in_place_of_elements(tmp_path, verifier):
    """The norm alone counts, even if an element differs much. NaN and a change of an input are still detected."""
    folder = planted(tmp_path)
    source = folder.path / "kernel.py"
    source.write_text(source.read_text() + BY_NORM)
    given = verifier.given(folder, problem(1000), seed=1, which=0)
    y = 2 * verifier.arrays(given)[0]["x"]
    off, share = y.copy(), np.linalg.norm(y)
    off[3] += 0.9e-6 * share
    found = verifier.compare(given, called(off))
    assert found.errors.keys() == {"norm of the error"}
    assert found.max_error == pytest.approx(0.9e-6 * share)
    assert found.tolerance == pytest.approx(1e-6 * share)
    for place, value, told in (
        (3, y[3] + 1.1e-6 * share, "norm of the error: "),
        (5, np.nan, "y: "),
        (5, np.inf, "norm"),
    ):
        wrong = y.copy()
        wrong[place] = value
        with pytest.raises(Failed, match=told):
            verifier.compare(given, called(wrong))
    assert verifier.change(given)
    with pytest.raises(Failed, match="norm of the error: "):
        verifier.compare(given, called(y), changed=True)
    given.close()
    empty = verifier.given(folder, problem(0), seed=1, which=0)
    assert verifier.compare(empty, called(np.empty(0))).max_error == 0.0
    empty.close()


def test_a_result_that_nothing_bounds_is_a_mistake_of_the_kernel(tmp_path, verifier):
    folder = planted(tmp_path)
    source = folder.path / "kernel.py"
    source.write_text(source.read_text() + BY_NORM.replace("return {", "return {}\n    {"))
    given = verifier.given(folder, problem(1000), seed=1, which=0)
    with pytest.raises(InputError, match=r"kernel\.py: neither tolerance nor error_metrics sets a bound"):
        verifier.compare(given, called(2 * verifier.arrays(given)[0]["x"]))
    given.close()
    empty = verifier.given(folder, problem(0), seed=1, which=0)
    assert verifier.compare(empty, called(np.empty(0))).tolerance == 0.0
    empty.close()


def test_the_reference_cannot_be_changed_by_those_who_judge_with_it(tmp_path, verifier):
    folder = planted(tmp_path)
    source = folder.path / "kernel.py"
    source.write_text(source.read_text() + BY_NORM.replace("return {", "expected -= y\n    return {"))
    given = verifier.given(folder, problem(1000), seed=1, which=0)
    with pytest.raises(InputError, match=r"error_metrics fails for .* read-only"):
        verifier.compare(given, called(2 * verifier.arrays(given)[0]["x"]))
    given.close()


def test_what_is_made_is_kept_for_the_next_repetition(tmp_path, verifier):
    """The verifier keeps the result of a reference, and does not compute it again for the same problem."""
    folder = planted(tmp_path, "time.sleep(2)")
    times = []
    for _ in range(2):
        begin = time.monotonic()
        verifier.given(folder, problem(500), seed=1, which=0).close()
        times.append(time.monotonic() - begin)
    assert times[0] >= 2
    assert times[1] < 1


def test_changes_are_another_processs_secret(tmp_path):
    folder = catalog.load_specification(planted(tmp_path).path)
    described = {"problem": "doubling", "size": 1000, "dtype": "float64", "options": {}}
    key = TruthKey(folder=str(folder.path), **described, seed=1, which=0, exact=False)
    places = set()
    for secret in range(5):
        truth = Truth(folder, key)
        ((where, _),) = truth.change(secret)["changes"].values()
        places.add(int(where[0]))
        truth.close()
    assert len(places) > 1


def test_workers_get_inputs_that_nobody_can_write_to_and_nothing_else(tmp_path, verifier):
    given = verifier.given(planted(tmp_path), problem(1000), seed=1, which=0)
    file = given.inputs.file.number
    inputs, expected = verifier.arrays(given)
    assert list(mapped(file, given.inputs.layout)) == ["x"]
    held = os.pread(file, 1 << 20, 0)
    assert inputs["x"].tobytes() in held
    assert expected["y"].tobytes() not in held
    with pytest.raises(PermissionError):
        os.pwrite(file, b"0", 0)
    given.close()


def test_the_process_is_closed_to_others_of_its_user(tmp_path, verifier):
    """The verifier's files in /proc belong to root. The test reads as another user, since root may read everything."""
    verifier.given(planted(tmp_path), problem(10), seed=1, which=0).close()
    process = verifier._process.pid(60)
    libc = ctypes.CDLL(None)
    child = os.fork()
    if child == 0:
        libc.setresuid(65534, 65534, 65534)
        try:
            os.listdir(f"/proc/{process}/fd")
        except PermissionError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize(
    ("module", "question"),
    [
        ("accelbench.verify", ("begin", {"keep_bytes": 0, "secret": 1})),
        ("accelbench.worker", ("release", {"problem": "nothing"})),
    ],
)
def test_who_is_left_by_a_killed_coordinator_ends_without_a_word(tmp_path, module, question):
    """A process ends without output if its connection is reset, as by a coordinator that ends with an unread answer."""
    ours, theirs = socket.socketpair()
    with ours, theirs, open(tmp_path / "progress", "w") as progress:
        numbers = [theirs.fileno(), progress.fileno()]
        command = [sys.executable, "-m", module, *map(str, numbers)]
        process = subprocess.Popen(command, pass_fds=numbers, stderr=subprocess.PIPE, env=clean_environment())
        Channel(ours).send(1, question)
        assert select.select([ours], [], [], 60)[0]
    assert (process.communicate(timeout=60)[1].decode(), process.returncode) == ("", 0)


def test_who_asks_the_verifier_is_closed_to_other_processes(tmp_path):
    script = f"""
import ctypes
from pathlib import Path
from accelbench.verify.process import Verifier

verifier = Verifier(20.0, 2 << 30, Path({str(tmp_path)!r}))
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE
verifier.close()
"""
    asked = subprocess.run(
        [sys.executable, "-c", script], env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert asked.stdout == "0\n"


def test_every_method_has_its_type_of_answer():
    methods = {name for kind in (Worker, VerifierMethods) for name in vars(kind) if not name.startswith("_")}
    assert methods == ANSWERS.keys()


def test_a_question_arrives_as_it_was_asked():
    key = TruthKey(folder="a", problem="p", size=3, dtype="int8", options={"k": 2}, seed=1, which=0, exact=True)
    ours, theirs = socket.socketpair()
    here, there = Channel(ours), Channel(theirs, kinds=KINDS)
    here.send(1, ("compare", {"key": key, "results": {"y": np.arange(3)}, "again": None}))
    _, (name, arrived) = there.receive(buffer_bytes=1 << 10)
    assert (name, arrived["key"], arrived["again"]) == ("compare", key, None)
    np.testing.assert_array_equal(arrived["results"]["y"], np.arange(3))
    for end in (here, there):
        end.close()
