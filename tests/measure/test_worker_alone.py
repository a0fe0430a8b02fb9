"""Tests that a worker needs only the standard library and NumPy, and no syntax or names newer than Python 3.10."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import accelbench
from accelbench.processes.supervision import FURTHER

PACKAGE = Path(accelbench.__file__).parent
OLDEST = (3, 10)
NEWER_MODULES = {"tomllib", "compression", "annotationlib"}
NEWER_NAMES = {
    "UTC",
    "StrEnum",
    "ReprEnum",
    "ExceptionGroup",
    "BaseExceptionGroup",
    "TaskGroup",
    "Self",
    "cbrt",
    "exp2",
}
NEWER_NAMES |= {"file_digest", "add_note", "batched", "override", "Runner", "timeout_at", "process_cpu_count"}

ASSERTS = '''
"""Doubling. Checks that other packages than NumPy cannot be imported."""

import importlib.util

for name in ("pydantic", "pandas", "psutil", "yaml", "typer", "threadpoolctl", "cffi"):
    assert importlib.util.find_spec(name) is None, name


def run(x, y):
    y[:] = x + x
'''


@pytest.fixture
def lonely(tmp_path, monkeypatch):
    """Replace sys.executable by a Python that finds no package except NumPy, and return the path of this Python."""
    numpy = Path(np.__file__).parent
    for folder in (numpy, numpy.with_name("numpy.libs")):
        if folder.is_dir():
            (tmp_path / folder.name).symlink_to(folder)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(FURTHER, "PYTHONPATH")
    return python


def test_a_worker_measures_with_numpy_alone(bench, lonely):
    bench.write("numpy_alone.py", ASSERTS)
    records = bench.measure()
    assert {name: record.outcome for name, record in records.items()} == {"numpy_multiply": "ok", "numpy_alone": "ok"}


def test_its_modules_are_of_the_oldest_python_it_may_run_on(lonely):
    code = "import sys, accelbench.worker.__main__ as _\nfrom accelbench import backends, toolchains\n"
    code += "from accelbench.processes import keeper\n"
    code += "backends.modules(), toolchains.modules()\n"
    code += "print(*(m.__file__ for n, m in sys.modules.items() if n.partition('.')[0] == 'accelbench'), sep='\\n')"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), os.environ["PYTHONPATH"]])}
    answer = subprocess.run([lonely, "-c", code], env=environment, capture_output=True, text=True, check=True)
    files = [Path(line) for line in answer.stdout.splitlines()]
    assert {"messages.py", "keeper.py", "host.py", "problem.py"} <= {file.name for file in files}
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"), file.name, feature_version=OLDEST)
        for node in ast.walk(tree):
            imported = [alias.name.partition(".")[0] for alias in getattr(node, "names", ()) if hasattr(alias, "name")]
            named = [getattr(node, "attr", None), getattr(node, "id", None)]
            assert not (NEWER_MODULES | NEWER_NAMES).intersection([*imported, *named]), file
