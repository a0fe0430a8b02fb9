"""Tests of today's backends with their libraries: `make test-today`, `python tests/today [LOCK ...] [-- PYTEST ...]`.

The tests of an environment's backends run in a Python that finds the packages of .venv-<LOCK> first. Other packages,
such as pytest, come from the Python that runs this module. Without LOCK, all existing environments are tested. The exit
status is 1 if a test fails, if a named or existing environment passes no test, or if there is no environment. An
existing environment of another Python is only reported, unless LOCK names it.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import scratch_python

from accelbench import backends, project
from accelbench.environments import paths

HERE = Path(__file__).parent
USUAL = ["-m", "not gpu and not slow"]


@dataclass(frozen=True)
class Tested:
    """Results of the tests with one environment, or the reason `why` there are none."""

    lock: str
    passed: int = 0
    skipped: int = 0
    failed: int = 0
    why: str | None = None

    def __str__(self):
        counts = f"{self.passed} passed, {self.skipped} skipped, {self.failed} failed"
        return f"{self.lock:<16}{self.why or counts}"


def served():
    """Return {lock: backends} of all locks with backends. The lock jax_cuda13 has the backends of jax."""
    locks = sorted(path.stem for path in (project.ROOT / "envs").glob("*.lock"))
    found = {lock: backends.of_environment(lock) or backends.of_environment(lock.partition("_")[0]) for lock in locks}
    return {lock: sorted(backends) for lock, backends in found.items() if backends}


def tested(lock, backends, words):
    python = Path(paths.absolute(paths.default_python(lock)))
    if not python.exists():
        return Tested(lock, why=f"is not there: make install LOCK={lock}")
    packages = python.parents[1] / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    if not packages.is_dir():
        return Tested(lock, why=f"is of another Python: make install LOCK={lock} PYTHON={sys._base_executable}")
    files = [*sorted(HERE.glob("test_*.py")), HERE.parent / "backends" / "test_on_gpu.py"]
    files = [str(file) for file in files if any(b in file.read_text() for b in backends)]
    with tempfile.TemporaryDirectory(prefix="accelbench-today-") as folder:
        told = Path(folder, "told.xml")
        command = [scratch_python.make(Path(folder, "python"), first=packages), "-m", "pytest", *files]
        command += ["-n", str(os.cpu_count()), "-k", " or ".join(backends), f"--junitxml={told}", *USUAL, *words]
        print(f"\n{lock}: the tests of {', '.join(backends)}", flush=True)
        subprocess.run(command, cwd=project.ROOT)
        return Tested(lock, *counted(told)) if told.exists() else Tested(lock, failed=1)


def counted(told):
    """Return (passed, skipped, failed) from pytest's report."""
    suite = xml.etree.ElementTree.parse(told).getroot().find("testsuite")
    total, skipped, *failed = (int(suite.get(name)) for name in ("tests", "skipped", "failures", "errors"))
    return total - skipped - sum(failed), skipped, sum(failed)


def main(arguments):
    """Run the tests and return the exit status."""
    named = arguments[: arguments.index("--")] if "--" in arguments else arguments
    backends = served()
    if unknown := set(named) - backends.keys():
        print(f"no environment {', '.join(sorted(unknown))}: there are {', '.join(backends)}", file=sys.stderr)
        return 2
    found = [tested(lock, backends[lock], arguments[len(named) + 1 :]) for lock in named or backends]
    print("\n" + "\n".join(map(str, found)))
    wanted = [one for one in found if named or one.why is None]
    return int(not wanted or any(one.failed or not one.passed for one in wanted))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
