"""How a worker imports an implementation."""

import subprocess
import sys

from accelbench import discovery
from accelbench.kernels import catalog, skeleton

TWICE = '''"""Compiled at the first call, or kept from another process's."""

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
