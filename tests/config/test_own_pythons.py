"""Tests of Pythons that a configuration names for backends: invalid ones, and which Python an implementation uses."""

import json
import sys

import psutil
import pytest
import scratch_python
from place import DOC, RUN, refused_run

from accelbench import backends, config, project
from accelbench.environments import interpreter, paths
from accelbench.environments.placement import Environment
from accelbench.environments.placement import place as placed
from accelbench.errors import InputError
from accelbench.machine import devices, software

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ({"Numba": {}}, "environments: 'Numba' is not a valid name of an environment"),
        ({"numba@": {}}, "environments: 'numba@' is not a valid name of an environment"),
        ({"numba@0.67/..": {}}, "environments: 'numba@0.67/..' is not a valid name of an environment"),
        ({"numba@0.67": {"path": "x"}}, "unknown key 'environments.numba@0.67.path'. Keys here: backends, python"),
        ({"numba@0.67": {"python": 3}}, "environments.numba@0.67.python: must be text (given: 3)"),
        ({"numba@0.67": {"python": ""}}, "environments.numba@0.67.python: is empty text"),
        (
            {"fortran": {}},
            "environments: no backend is called fortran or needs this environment: name some in `backends`",
        ),
        (
            {"cuda12": {}},
            "environments: no backend is called cuda12 or needs this environment: name some in `backends`",
        ),
        (
            {"mine": {"backends": ["fortran"]}},
            "environments.mine.backends[0]: there is no backend 'fortran': the backends are ",
        ),
        ({"mine": {"backends": []}}, "environments.mine.backends: is empty"),
        ({"cython@3.1": {}}, "environments: cython@3.1 cannot have cython, which is built only for accelbench's own"),
        ({"numba": {}, "mine": {"backends": ["numba"]}}, "environments: the backend numba is in both mine and numba"),
        (
            {"numba@1": {}, "mine@1": {"backends": ["numba"]}},
            "environments: the backend numba is in both mine@1 and numba@1",
        ),
    ],
)
def test_an_environment_that_is_none(place, text, told):
    place.configure({"environments": text})
    assert told in place.refusal("measure", "twice")


OLD = {"version": "3.9.19", "implementation": "CPython", "prefix": "/", "include": "", "extension_suffix": ""}
OLD |= {"packages": {"numpy": "2.0"}, "numpy_fails": None}
# Source of a module whose import fails with a message like that of a broken NumPy
BROKEN = """
try:
    raise ImportError("libgfortran.so.5: cannot open\\nshared object file")
except ImportError as error:
    raise ImportError("IMPORTANT: PLEASE READ THIS FOR ADVICE") from error
"""


@pytest.fixture
def unusable(tmp_path):
    """Return {defect: (path of a Python with this defect, part of the message that refuses it)}."""
    old = scratch_python.pretend(tmp_path / "old", json.dumps(OLD))
    bare = scratch_python.make(tmp_path / "bare", packages=())
    broken = with_numpy(tmp_path / "broken", BROKEN)
    said = "whose NumPy 2.4.0 cannot be imported (ImportError: libgfortran.so.5: cannot open shared object file)"
    remedy = f"Reinstall it there: {broken} -m pip install --force-reinstall numpy==2.4.0"
    return {
        "missing": (str(tmp_path / "no" / "python"), "does not exist. Make this environment, or name"),
        "no Python": (scratch_python.pretend(tmp_path / "other", "hello"), "does not work as a Python. Name the"),
        "too old": (old, "is Python 3.9.19, and workers need 3.10 or newer. Name a newer Python"),
        "no NumPy": (bare, f"without NumPy, which every worker needs. Install it there: {bare} -m pip install numpy"),
        "broken NumPy": (broken, f"{said}. {remedy}"),
    }


def with_numpy(folder, text):
    """Make a Python in `folder` whose NumPy 2.4.0 is a file with this text; return the Python's path."""
    python = scratch_python.make(folder, packages=(), numpy="2.4.0", some_thing="1.0")
    (about,) = folder.glob("lib/*/site-packages/numpy-2.4.0.dist-info")
    (about.parent / "numpy.py").write_text(text)
    return python


@pytest.mark.parametrize("what", ["missing", "no Python", "too old", "no NumPy", "broken NumPy"])
def test_a_python_that_workers_cannot_run_in_is_refused_before_any_work(place, unusable, what, no_start):
    python, told = unusable[what]
    place.configure({"environments": {"numpy@2.0": {"python": python}}})
    for refused in (place.refusal("machine"), refused_run(place)):
        assert f"{place.own}: environments.numpy@2.0.python: {python} " in refused
        assert told in refused
    assert not (place.folder / "results" / "local" / "machine.json").exists()


TOLD = OLD | {"version": "3.12.1"}


@pytest.mark.parametrize(
    "script",
    [
        "echo {}",
        "echo '[1, 2]'",
        "echo null",
        "printf '\\377\\000'",
        f"echo '{json.dumps(TOLD | {'version': 3})}'",
        f"echo '{json.dumps(TOLD | {'packages': ['numpy']})}'",
        f"echo '{json.dumps(TOLD | {'numpy_fails': 7})}'",
        "exec yes garbage",
        "head -c 300000 /dev/zero | tr '\\0' '['",
        "kill -9 0",
        "sleep 987654 & kill -9 $$",
    ],
)
def test_a_python_that_answers_garbage_is_refused(tmp_path, script):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/bash\n{script}\n")
    python.chmod(0o755)
    with pytest.raises(InputError, match="does not work as a Python"):
        interpreter.read(str(python))
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "987654"]]


def test_an_environment_that_a_lock_makes_may_be_missing(place, tmp_path, monkeypatch):
    """Cases that need a missing environment are unavailable. Their remedy is the command that creates it."""
    (tmp_path / "envs").mkdir()
    (tmp_path / "envs" / "numba.lock").touch()
    monkeypatch.setattr(project, "ROOT", tmp_path)
    place.write({"numba_njit.py": DOC + RUN})
    place.configure({"environments": {"numba": {}}, "dtypes": ["float64"]})
    place.sweep()
    outcomes = {name: (r["outcome"], r["reason"]) for (name, *_), r in place.outcomes().items()}
    assert outcomes["numba_njit"] == ("unavailable", "the environment numba does not exist: make install LOCK=numba")
    assert outcomes["numpy_ufunc"] == ("ok", None)
    remedies = {name: r.get("remedy") for (name, *_), r in place.outcomes().items()}
    assert remedies == {"numba_njit": "make install LOCK=numba", "numpy_ufunc": None}
    named = {name: r["environment"].get("name") for (name, *_), r in place.outcomes().items()}
    assert named == {"numba_njit": "numba", "numpy_ufunc": None}


def implementations(place):
    (kernel,) = place.plan().values()
    return {name: (i.environment, i.python) for name, i in kernel.implementations.items()}


@pytest.fixture
def asking(place, monkeypatch):
    """Return a Place whose kernel has an implementation that needs the environment `own`."""
    place.write({"pyopencl_own.py": DOC + RUN})
    monkeypatch.setattr(backends.modules()["pyopencl"], "ENVIRONMENT", "own", raising=False)
    return place


def test_what_asks_for_an_environment_is_left_out_where_none_is_named(asking):
    here = "", sys.executable
    assert implementations(asking) == {"numpy_ufunc": here}
    for keys in ({"implementations": ["pyopencl_own"]}, {"kernels": {"twice": {"implementations": ["pyopencl_*"]}}}):
        asking.configure(keys)
        with pytest.raises(InputError, match=r"needs the environment own\. Write environments: \{own: \{\}\}, and"):
            asking.plan()
    asking.configure({"backends": ["pyopencl"]})
    with pytest.raises(InputError, match=r"backends: pyopencl needs an environment: write environments: \{own: \{\}\}"):
        asking.plan()
    asking.configure({"environments": {"own": {"python": "/some/python"}}})
    assert implementations(asking) == {"pyopencl_own": ("own", "/some/python"), "numpy_ufunc": here}


def test_what_asks_for_an_environment_is_no_part_of_a_description_without(asking):
    assert asking.invoke("machine").exit_code == 0
    described = json.loads(asking.file("machine.json").read_text())
    assert described["environments"] == {}


def test_commands_for_whoever_writes_implementations_look_where_a_library_may_be(asking, tmp_path, monkeypatch):
    """`list` and similar commands use the environment made for a library, or else the Python that runs them."""
    everywhere = config.read(asking.own).with_every_environment().places
    assert (sys.executable, ("pyopencl",)) in [(p.python, p.backends) for p in everywhere]
    assert "pyopencl_own" in asking.invoke("list").stdout
    monkeypatch.setattr(project, "ROOT", tmp_path)
    made = scratch_python.make(tmp_path / ".venv-own")
    assert made in [place.python for place in config.read(asking.own).with_every_environment().places]


def test_a_library_that_is_not_in_its_environment_is_a_reason_and_no_error(place, tmp_path):
    place.write({"numba_njit.py": DOC + RUN})
    python = scratch_python.make(tmp_path / "own", packages=["numpy"])
    place.configure({"environments": {"numba": {"python": python}}})
    assert place.invoke("machine").exit_code == 0
    described = json.loads(place.file("machine.json").read_text())
    found = described["backends"]["numba"]
    told = f"package numba not installed: {python} -m pip install numba"
    assert (found["available"], found["reason"]) == (False, told)
    assert found["remedy"] == f"{python} -m pip install numba"
    assert found == described["environments"]["numba"]["backends"]["numba"]


@pytest.mark.parametrize(
    ("name", "told"),
    [("own", f"{paths.shown(sys.executable)} -m pip install 'jax[cuda12]'"), ("jax", "make install LOCK=jax")],
)
def test_what_is_missing_is_installed_in_its_own_python_or_by_its_lock(monkeypatch, name, told):
    given = {}
    monkeypatch.setattr(devices, "probe", lambda backends, python, **variables: given.update(variables) or {})
    devices._environment(Environment(name, sys.executable, ("jax",)), ["jax"])
    assert backends.install_command("'jax[cuda12]'") == "pip install 'jax[cuda12]'"
    ((variable, value),) = given.items()
    monkeypatch.setenv(variable, value)
    assert backends.install_command("'jax[cuda12]'") == told


def test_what_an_environment_made_by_make_lacks_is_installed_by_its_lock(monkeypatch, tmp_path):
    given, python = {}, tmp_path / "python"
    python.symlink_to(sys.executable)
    monkeypatch.setattr(paths, "default_python", lambda name: str(python))
    monkeypatch.setattr(devices, "probe", lambda backends, python, **variables: given.update(variables) or {})
    devices._environment(Environment("jax", str(python), ("jax",)), ["jax"])
    assert [*given.values()] == ["make install LOCK=jax"]


def test_what_is_installed_in_an_environment_has_the_machine_described_again(tmp_path):
    python = scratch_python.make(tmp_path / "own", some="1.0")
    before = software.fingerprint(pythons=[python])
    assert before == software.fingerprint(pythons=[python]) != software.fingerprint()
    (about,) = (tmp_path / "own").glob("lib/*/site-packages/some-1.0.dist-info")
    about.rename(about.with_name("some-1.1.dist-info"))
    assert software.fingerprint(pythons=[python]) != before
    assert software.fingerprint(pythons=[str(tmp_path / "gone")]) != before


def test_contestants_stand_beside_what_is_at_home(place):
    place.write({"numba_njit.py": DOC + RUN})
    pythons = {"numba": "/usr/bin/home", "numba@0.67": "envs/a", "numba@0.68": "~/b", "numpy@2.4": "/c"}
    place.configure({"environments": {name: {"python": python} for name, python in pythons.items()}})
    found = implementations(place)
    assert {name: where for name, (where, _) in found.items()} == {
        "numpy_ufunc": "",
        "numba_njit": "numba",
        "numba_njit@0.67": "numba@0.67",
        "numba_njit@0.68": "numba@0.68",
        "numpy_ufunc@2.4": "numpy@2.4",
    }
    assert found["numba_njit@0.67"][1] == str(project.ROOT / "envs" / "a")
    assert found["numba_njit@0.68"][1].endswith("/b")
    assert "~" not in found["numba_njit@0.68"][1]


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        (["numba_njit"], ["numba_njit", "numba_njit@0.67"]),
        (["numba_njit@0.67"], ["numba_njit@0.67"]),
        (["*@*"], ["numba_njit@0.67"]),
    ],
)
def test_patterns_choose_among_contestants(place, patterns, chosen):
    place.write({"numba_njit.py": DOC + RUN})
    place.configure({"environments": {"numba@0.67": {}}, "implementations": patterns})
    assert set(implementations(place)) == {"numpy_ufunc", *chosen}  # the baseline is always chosen


def test_placing_twice_changes_nothing(place):
    place.configure({"environments": {"numpy@2.4": {}, "numpy@2.5": {}}})
    (kernel,) = place.plan().values()
    assert placed(config.read(place.own).places, kernel.kernel).implementations == kernel.kernel.implementations


def test_a_python_tells_what_is_installed_and_by_which_lock(tmp_path):
    python = with_numpy(tmp_path / "venv", "")
    told = interpreter.read(python)
    assert told.packages == {"numpy": "2.4.0", "some-thing": "1.0"}
    assert told.version.startswith(sys.version.split()[0])
    assert told.lock == "unlocked"
    lock = b"numpy==2.4.0 \\\n    --hash=sha256:0\nsome-thing==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:1\n"
    record = tmp_path / "venv" / "installed" / "mine"
    record.parent.mkdir()
    record.write_bytes(b"/root\n/python\n" + lock)
    interpreter.read.cache_clear()
    locked = interpreter.read(python)
    assert locked.lock == "mine"
    assert locked.digest != told.digest
    record.write_bytes(b"/elsewhere\n/python3\n" + lock)
    interpreter.read.cache_clear()
    assert interpreter.read(python).digest == locked.digest  # the paths do not matter
    record.write_bytes(b"/root\n/python\n" + lock.replace(b"2.4.0", b"2.4.1"))
    interpreter.read.cache_clear()
    assert interpreter.read(python) == told  # the installed NumPy is not that of the lock
