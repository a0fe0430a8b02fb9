"""Tests of the facts about an implementation's Python, such as the package versions that affect builds."""

import platform
import re
import sys
import sysconfig
from dataclasses import replace

import pytest
import scratch_python

from accelbench import config, project, toolchains
from accelbench.environments import interpreter, paths
from accelbench.environments.placement import Environment
from accelbench.errors import InputError
from accelbench.kernels.folder import KernelFolder
from accelbench.machine import devices
from accelbench.toolchains.compiler import EXTENSION_SUFFIX


@pytest.fixture
def implementation(c_kernel):
    return c_kernel.implementations["ctypes_c"]


@pytest.fixture
def elsewhere(implementation, tmp_path):
    """Return a function that places the implementation in an environment with these package versions."""

    def place(**versions):
        python = scratch_python.make(tmp_path / "-".join(versions.values()), **versions)
        return replace(implementation, environment="own", own_python=python)

    return place


def test_without_an_environment_it_is_this_python(implementation):
    python = interpreter.read(implementation.python)
    assert (python.path, python.prefix, python.extension_suffix) == (sys.executable, sys.prefix, EXTENSION_SUFFIX)
    assert interpreter.include_flag(implementation) == f"-I{sysconfig.get_path('include')}"
    assert interpreter.version(implementation) == f"CPython {platform.python_version()}"


def test_packages_are_those_of_the_environment(elsewhere):
    other = elsewhere(Some="1.2")
    assert interpreter.read(other.python).path == other.python
    assert interpreter.version(other, "Some").startswith(f"Some 1.2, CPython {platform.python_version()}, unlocked ")
    with pytest.raises(InputError, match=rf"else is not installed\. Install it: {other.python} -m pip install else"):
        interpreter.version(other, "else")


def build(implementation, out, **settings):
    """Build an implementation in C, and return its only Artifact."""
    folder = KernelFolder("total", implementation.path.parent, None, {}, {implementation.name: implementation})
    manifest = toolchains.build(folder, "c", out / "total", config=config.Build(**settings))
    (artifact,) = interpreter.without_places(manifest, folder).artifacts
    return artifact


def test_logs_name_no_place_of_packages_of_the_persons_own(implementation, out, monkeypatch):
    """Recorded build commands contain `$PYTHONPATH` instead of the folders on PYTHONPATH."""
    place = str(out.parent / "site")
    monkeypatch.setenv("PYTHONPATH", f"workflow:{place}")
    artifact = build(implementation, out, cflags=[f"-I{place}/pythran"])
    assert "-I$PYTHONPATH/pythran" in artifact.command
    assert place not in artifact.command


def test_a_python_that_has_gone_is_a_failure_of_the_build(implementation, out):
    gone = replace(implementation, environment="own", own_python="/nowhere/python")
    with pytest.raises(InputError, match="/nowhere/python: does not exist"):
        interpreter.read(gone.python)
    assert build(gone, out).outcome == "ok"  # building a C library needs no Python


def test_messages_name_no_folder_of_the_persons_own(implementation, tmp_path, monkeypatch):
    """Messages name a Python as the configuration does, without the user's folders.

    Such messages are published in logs of builds and in reasons of outcomes.
    """
    monkeypatch.setattr(project, "ROOT", tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    for named in (".venv-f2py/bin/python", "~/other/bin/python", "/nowhere/python"):
        place = Environment("own", paths.absolute(named), ("numpy",))
        gone = replace(implementation, environment="own", own_python=place.python)
        words = f"{named}: does not exist. Make this environment, or name another environment's Python"
        with pytest.raises(InputError, match=rf"^{re.escape(words)}$"):
            interpreter.read(gone.python)
        assert devices._environment(place, ["numpy"]).backends["numpy"].reason == words


def test_a_python_that_lacks_a_library_is_named_as_a_configuration_does(implementation, tmp_path, monkeypatch):
    monkeypatch.setattr(project, "ROOT", tmp_path)
    bare = scratch_python.make(tmp_path / ".venv-bare", packages=())
    with pytest.raises(InputError, match=r"Install it there: \.venv-bare/bin/python -m pip install numpy$"):
        interpreter.read(bare)
    full = scratch_python.make(tmp_path / ".venv-full")
    with pytest.raises(InputError, match=r"Install it: \.venv-full/bin/python -m pip install else$"):
        interpreter.version(replace(implementation, own_python=full), "else")


def test_a_recorded_command_does_not_say_where_an_environment_lies(elsewhere, out):
    other = elsewhere(some="1.0")
    prefix = interpreter.read(other.python).prefix
    artifact = build(other, out, cflags=(f"-I{prefix}/include", "-O1"))
    assert artifact.outcome == "ok"
    assert "-I$VIRTUAL_ENV/include" in artifact.command
    assert prefix not in artifact.command


def test_what_is_installed_in_an_environment_is_part_of_what_compiles(elsewhere):
    one, another = (interpreter.version(elsewhere(some="1.0", more=more), "some") for more in ("1", "2"))
    assert one != another
    assert one.startswith("some 1.0, CPython ")
