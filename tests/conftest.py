"""In which order files run, what `make test-fast` leaves out, and this machine, described once."""

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
# Not beside the kernels, where others who imported a file by another name may have left theirs.
os.environ.setdefault("NUMBA_CACHE_DIR", str(HERE.parent / ".pytest_cache" / "numba"))
# A thousand processes are started: each would compile the package anew without bytecode, and spend a tenth of a second
# of a core on NumPy's pool of threads. Workers that measure get as many threads as a case says.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
# Processes of pytest measure beside each other: each has a machine lock of its own.
os.environ["ACCELBENCH_LOCK"] = f"accelbench-test-{os.getpid()}"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.set_threshold(100_000)  # as in accelbench.__main__: results that tests keep were looked through all the time
# Files whose tests build, measure or draw much, slowest first, so that workers that take whole files end together.
SLOWEST = HERE.joinpath("slowest.txt").read_text().split()


def pytest_ignore_collect(collection_path, config):
    """Files that are left out are not imported either."""
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
    """Tests that load an implementation's library leave nothing of it to those that come after."""
    yield
    restore_rounding()


look_for_devices = devices.probe  # before a test replaces it


@pytest.fixture(scope="session")
def looked_for(tmp_path_factory):
    """A function that returns what devices.probe does: one of pytest's workers has looked, the others read it."""
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
    """For tests that describe this machine on their way to something else: looking takes 4 s of a core each time."""
    with probed_once(looked_for):
        yield


@pytest.fixture
def as_svg(monkeypatch):
    """As svg_alone, for one test that draws a report of its own."""
    from accelbench.pages import pictures

    monkeypatch.setattr(pictures, "FORMATS", {"svg": pictures.FORMATS["svg"]})


@pytest.fixture(scope="module")
def svg_alone():
    """For tests that draw much and look at SVG: it, PDF and PNG take three times as long."""
    from accelbench.pages import pictures  # only here: it comes with Matplotlib

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "FORMATS", {"svg": pictures.FORMATS["svg"]})
        yield


@pytest.fixture(scope="module")
def undrawn():
    """For tests of pages that look at none of the figures of results, which take most of a report's time."""
    from accelbench.pages import pictures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw_all", lambda plots, *_, **__: {plot.name: "<svg></svg>" for plot in plots})
        yield


@pytest.fixture(scope="session", autouse=True)
def cython_support_built_once():
    """Code that Cython's extensions share takes five seconds of a core to build; its name tells by whom."""
    once = Task.once

    def once_in_all(task, name, make):
        shared = HERE.parent / ".pytest_cache" / "cython" if "cython" in name else task.shared
        return once(dataclasses.replace(task, shared=shared), name, make)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Task, "once", once_in_all)
        yield


@pytest.fixture(scope="session")
def described(looked_for):
    """This machine, as machine.json holds it. A run that finds it in its results does not look for devices itself."""
    with probed_once(looked_for):
        return describe("local", config.parse({})).model_dump(mode="json")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture(scope="session")
def measured(tmp_path_factory, looked_for):
    """A Place in which everything up to the tables has been made; tests work on copies of it."""
    with probed_once(looked_for):
        place = Place(tmp_path_factory.mktemp("measured"))
        place.write(IN_C)
        place.sweep()
    return place


@pytest.fixture
def results(place, measured):
    """A place whose results are a copy of `measured`'s, kernel and all."""
    place.write(IN_C)
    shutil.copytree(measured.folder / "results", place.folder / "results")
    return place


@pytest.fixture
def no_start(monkeypatch):
    """Nothing may be started."""
    monkeypatch.setattr(run, "_clear_dead_lock", lambda *_: pytest.fail("Snakemake would have been started"))
