"""Order of the test files, selection of `make test-fast`, and fixtures that are made once for many tests."""

import dataclasses
import gc
import os
import shutil
import sys
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest
from place import IN_C, Place
from pydantic import TypeAdapter
from rounding import restore_rounding

from accelbench import config
from accelbench.cli import run
from accelbench.machine import devices
from accelbench.machine.description import describe
from accelbench.model.device import Backend
from accelbench.store import files
from accelbench.toolchains.contract import Task

HERE = Path(__file__).parent
# Numba's cache for the tests. Caches in kernels' folders may refer to modules by other names.
os.environ.setdefault("NUMBA_CACHE_DIR", str(HERE.parent / ".pytest_cache" / "numba"))
# The tests start a thousand processes, each of which would spend 0.1 s of CPU time on NumPy's thread pool. The
# coordinator gives its workers their own number of threads.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
# Processes of pytest measure at the same time, so each has its own machine lock.
os.environ["ACCELBENCH_LOCK"] = f"accelbench-test-{os.getpid()}"
# Without bytecode, each process would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.set_threshold(100_000)  # as in accelbench.__main__, to collect garbage less often
# Files whose tests build, measure or draw much, slowest first, so that pytest's workers finish at the same time.
SLOWEST = HERE.joinpath("slowest.txt").read_text().split()


def pytest_ignore_collect(collection_path, config):
    """Exclude the slowest files from collection by `make test-fast`, so that they are not imported either."""
    left_out = "not processes" in (config.getoption("-m") or "")
    return (left_out and collection_path.relative_to(HERE).as_posix() in SLOWEST) or None


def pytest_collection_modifyitems(items):
    ranks = {name: rank for rank, name in enumerate(SLOWEST)}
    for item in items:
        if item.path.relative_to(HERE).as_posix() in ranks:
            item.add_marker("processes")
    items.sort(key=lambda item: ranks.get(item.path.relative_to(HERE).as_posix(), len(ranks)))


@pytest.fixture(autouse=True)
def rounding_as_before():
    """Restore the rounding mode after each test, since a loaded library may change it."""
    yield
    restore_rounding()


look_for_devices = devices.probe  # the original, which fixtures replace


@pytest.fixture(scope="session")
def looked_for(tmp_path_factory):
    """Return a function that returns the result of devices.probe. One of pytest's workers probes for all."""
    folder = tmp_path_factory.getbasetemp()
    found = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "devices.json"

    @cache
    def look():
        with files.locked(found.with_suffix(".lock"), str, wait_s=2 * devices.LIMIT_S):
            if not found.exists():
                files.write_json(found, {name: asdict(backend) for name, backend in look_for_devices().items()})
        return TypeAdapter(dict[str, Backend]).validate_python(files.read_json(found))

    return look


@contextmanager
def probed_once(looked_for):
    def probe(backends=None, **elsewhere):
        return look_for_devices(backends, **elsewhere) if elsewhere else looked_for()

    with pytest.MonkeyPatch.context() as patch:
        for module in (devices, run):
            patch.setattr(module, "probe", probe)
        yield


@pytest.fixture(scope="module")
def devices_looked_for_once(looked_for):
    """Probe devices only once, since probing takes 4 s of CPU time. Tests of probing do not use this fixture."""
    with probed_once(looked_for):
        yield


@pytest.fixture
def as_svg(monkeypatch):
    """Draw figures only as SVG, for one test."""
    from accelbench.pages import pictures

    monkeypatch.setattr(pictures, "FORMATS", {"svg": pictures.FORMATS["svg"]})


@pytest.fixture(scope="module")
def svg_alone():
    """Draw figures only as SVG, for tests with many figures. SVG, PDF and PNG together take three times as long."""
    from accelbench.pages import pictures  # imported lazily, since it imports Matplotlib

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "FORMATS", {"svg": pictures.FORMATS["svg"]})
        yield


@pytest.fixture(scope="module")
def undrawn():
    """Skip drawing of result figures, which takes most of a report's time, for tests that need no figures."""
    from accelbench.pages import pictures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw_all", lambda plots, *_, **__: {plot.name: "<svg></svg>" for plot in plots})
        yield


@pytest.fixture(scope="session", autouse=True)
def cython_support_built_once():
    """Build the shared code of Cython extensions only once for all tests, since this build takes 5 s.

    The name of the built file contains the compiler, so builds with different compilers do not collide.
    """
    once = Task.once

    def once_in_all(task, name, make):
        shared = HERE.parent / ".pytest_cache" / "cython" if "cython" in name else task.shared
        return once(dataclasses.replace(task, shared=shared), name, make)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Task, "once", once_in_all)
        yield


@pytest.fixture(scope="session")
def described(looked_for):
    """Return the content of machine.json for this machine. A run that finds it in its results probes no devices."""
    with probed_once(looked_for):
        return describe("local", config.parse({})).model_dump(mode="json")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture(scope="session")
def measured(tmp_path_factory, looked_for):
    """Return a Place in which all stages up to the tables have run. Tests work on copies of it."""
    with probed_once(looked_for):
        place = Place(tmp_path_factory.mktemp("measured"))
        place.write(IN_C)
        place.sweep()
    return place


@pytest.fixture
def results(place, measured):
    """Return a Place with a copy of the kernel and results of `measured`."""
    place.write(IN_C)
    shutil.copytree(measured.folder / "results", place.folder / "results")
    return place


@pytest.fixture
def no_start(monkeypatch):
    """Fail the test if Snakemake would be started."""
    monkeypatch.setattr(run, "_clear_dead_lock", lambda *_: pytest.fail("Snakemake would have been started"))
