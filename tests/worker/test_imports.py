"""Tests of the import of an implementation by a worker."""

import subprocess
import sys

from accelbench import discovery
from accelbench.kernels import catalog, skeleton

TWICE = '''"""Doubling with Numba, compiled at the first call or loaded from the cache."""

import numba


@numba.njit(cache=True)
def twice(x):
    return 2 * x


def run(x, y):
    y[:] = twice(x)
'''
AS_WORKERS_DO = """
import sys
from types import SimpleNamespace
from accelbench.worker.__main__ import Worker
worker = Worker()
worker.recipe = SimpleNamespace(file=sys.argv[1])
print(worker._import().twice(21))
"""


def test_what_numba_keeps_of_a_file_serves_everybody_who_imports_it(tmp_path):
    kernel = tmp_path / "kernels" / "twice"
    skeleton.write_kernel(kernel)
    (kernel / "numba_twice.py").write_text(TWICE)
    path = catalog.load(kernel).implementations["numba_twice"].path
    worker = [sys.executable, "-c", AS_WORKERS_DO, str(path)]
    assert subprocess.run(worker, capture_output=True, text=True, check=True).stdout == "42\n"
    module = discovery.import_file(path)
    assert module.twice(21) == 42
    assert module.twice.stats.cache_hits


def test_a_worker_imports_what_its_backend_needs_and_no_more():
    """A worker imports no modules that find backends, build or read files, since each case waits for its worker."""
    code = "import sys, accelbench.backends.host, accelbench.worker.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = {name.removeprefix("accelbench.") for name in done.stdout.split() if name.startswith("accelbench.")}
    assert not mine & {
        "toolchains",
        "backends.contract",
        "backends.cuda",
        "backends.opencl",
        "store.files",
        "model.gpu",
        "measure",
    }
    assert not {"pydantic", "importlib.metadata", "concurrent.futures", "statistics"} & set(done.stdout.split())
