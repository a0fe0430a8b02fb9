"""`make test-today`: the tests of each environment, the Python that runs them, and missing environments."""

import json
import subprocess
from pathlib import Path

import numpy
import pytest
import scratch_python

from accelbench import project
from accelbench.discovery import import_file
from accelbench.environments import paths

today = import_file(project.ROOT / "tests" / "today" / "__main__.py")


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """The folder in which environments are searched."""
    monkeypatch.setattr(paths, "default_python", lambda name: str(tmp_path / f".venv-{name}" / "bin" / "python"))
    return tmp_path


@pytest.mark.slow
def test_an_environment_is_tested_and_what_is_missing_is_named_with_what_makes_it(homes, capfd):
    scratch_python.make(homes / ".venv-f2py", packages=["numpy"])
    assert today.main(["--", "-k", "each_backend_has_the_kernels", "-p", "no:cacheprovider", "-n0"]) == 0
    *_, told = capfd.readouterr().out.rpartition("\n\n")
    rows = dict(row.split(maxsplit=1) for row in told.splitlines())
    assert rows.pop("f2py") == "1 passed, 0 skipped, 0 failed"
    assert rows["jax_cuda13"] == "is not there: make install LOCK=jax_cuda13"
    assert rows == {name: f"is not there: make install LOCK={name}" for name in rows}
    assert {"jax", "torch", "cuda13", "warp", "numexpr", "pythran", "nanobind"} < rows.keys()


@pytest.mark.slow
def test_tests_that_all_skip_are_no_success(homes, capfd):
    """All tests skip if the environment lacks the library."""
    scratch_python.make(homes / ".venv-numexpr", packages=["numpy"])
    assert today.main(["numexpr", "--", "-k", "numexpr_has_the_threads", "-p", "no:cacheprovider", "-n0"]) == 1
    assert capfd.readouterr().out.endswith("\nnumexpr         0 passed, 1 skipped, 0 failed\n")


def test_a_named_environment_that_is_not_there_is_no_success_nor_is_none_at_all(homes, capfd):
    assert today.main(["jax"]) == today.main([]) == 1
    assert today.main(["base"]) == 2
    assert capfd.readouterr().err.startswith("no environment base: there are cuda13, f2py, jax")


def test_each_environment_has_its_backends_tests():
    served = today.served()
    assert served["torch"] == ["torch", "triton"]
    assert served["jax_cuda13"] == served["jax"] == ["jax"]
    assert served["cuda13"] == ["cuda_compute", "cuda_core"]
    assert "base" not in served


def test_packages_of_the_environment_come_first_and_what_it_lacks_is_found(tmp_path):
    first = tmp_path / "first"
    (first / "numpy").mkdir(parents=True)
    (first / "numpy" / "__init__.py").write_text("__version__ = 'its own'")
    (first / "more.pth").write_text(f"{tmp_path}\n")
    python = scratch_python.make(tmp_path / "python", first=first)
    asked = "import json, site, sys, numpy, pytest; print(json.dumps([numpy.__version__, pytest.__version__, sys.path,"
    asked += " site.getsitepackages()]))"
    done = subprocess.run([python, "-c", asked], env={"PYTHONPATH": "/"}, capture_output=True, text=True, check=True)
    version, other, path, site_packages = json.loads(done.stdout)  # Debian has several folders of packages
    assert (version, other) == ("its own", pytest.__version__) != (numpy.__version__, other)
    assert str(tmp_path) in path
    found = [file for place in site_packages if (file := Path(place, "numpy", "__init__.py")).is_file()]
    assert found[0].read_text() == "__version__ = 'its own'"  # for tools that search only site-packages
