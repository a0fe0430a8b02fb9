"""Tests of Warp on a CPU: arrays, times, threads, and results of every implementation."""

import importlib.util
import os
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from run_implementation import Runner, assert_right

from accelbench import backends
from accelbench.backends import POISON, Device, cuda
from accelbench.backends import warp as warp_backend
from accelbench.kernels import catalog
from accelbench.measure import environment
from accelbench.worker.case import KernelCase
from accelbench.worker.problem import Call

KERNELS = Path(__file__).parents[2] / "kernels"
FILES = sorted(KERNELS.glob("*/warp_*.py"))
SIZES = {"inside_polygon": (1, 33), "monte_carlo_pi": (0, 1, 10_000)}
needs_warp = pytest.mark.skipif(importlib.util.find_spec("warp") is None, reason="warp is not installed")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Yield the folder for Warp's compiled code. WARP_CACHE_PATH names it, as in a worker."""
    scratch = tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        path = environment.variables(1, "cpu", scratch)["WARP_CACHE_PATH"]
        patch.setenv("WARP_CACHE_PATH", path)
        yield Path(path)


@pytest.fixture
def session(cache):
    return backends.modules()["warp"].Session("warp", Device("cpu"))


def test_what_is_compiled_stays_in_the_workers_folder(tmp_path):
    chosen = environment.variables(1, "cpu", tmp_path)
    assert chosen["WARP_CACHE_PATH"] in environment.folders(chosen)
    assert Path(chosen["WARP_CACHE_PATH"]).parent == tmp_path


def test_kernels():
    assert len({file.parent for file in FILES}) >= 6


def test_names_find_the_backend_and_its_environment():
    assert backends.of("warp_kernel") == "warp"
    assert backends.toolchain("warp") is None
    assert backends.modules()["warp"].ENVIRONMENT == "warp"


@pytest.mark.parametrize("compiler", [True, False])
def test_a_warp_without_its_compiler_for_processors_says_so(monkeypatch, compiler):
    """Probing reports that Warp lacks its compiler for CPUs. Otherwise, every kernel would raise an AttributeError."""
    library = SimpleNamespace(
        get_cuda_device_count=lambda: 1, get_cuda_toolkit_version=lambda: (13, 0), is_cpu_available=lambda: compiler
    )
    monkeypatch.setattr(warp_backend, "_import_warp", lambda: library)
    monkeypatch.setattr(cuda, "devices", lambda versions: [Device("NVIDIA H200", "gpu", versions=versions)])
    cores, gpu = warp_backend.probe("warp")
    assert (cores.name, cores.unusable is None) == ("cpu", compiler)
    assert compiler or "without its compiler" in cores.unusable
    assert gpu.unusable is None
    assert gpu.versions == {"runtime": "13.0"}


@needs_warp
@pytest.mark.parametrize("shape", [(1,), (31,), (3, 5), (0,)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint8"])
def test_copies_there_and_back(session, shape, dtype):
    host = np.random.default_rng(0).integers(0, 200, shape).astype(dtype)
    array = session.empty(shape, dtype)
    assert array.shape == shape
    session.copy_in(array, host)
    into = np.zeros(shape, dtype)
    assert np.array_equal(session.copy_out(array), host)
    assert session.copy_out(array, into) is into
    assert np.array_equal(into, host)
    assert session.intact(array)
    session.poison(array)
    assert (session.copy_out(array).view(np.uint8) == POISON).all()
    assert session.intact(array)


@needs_warp
def test_a_kernel_that_writes_beside_an_array_is_noticed(session):
    import warp as wp

    @wp.kernel(module="unique")
    def overrun(n: int, y: wp.array(dtype=wp.float64)):
        y[n] = wp.float64(1.0)

    array, neighbour = (session.empty((33,), "float64") for _ in range(2))
    wp.launch(overrun, 1, inputs=[33, array])
    assert not session.intact(array)
    assert session.intact(neighbour)


@needs_warp
def test_a_launch_is_done_when_it_returns_in_the_thread_that_makes_it(session):
    """A launch on a CPU ends before it returns and runs in the calling thread.

    So `compute` needs no synchronisation, and the thread's CPU time is that of the launch.
    """
    import warp as wp

    @wp.kernel(module="unique")
    def busy(steps: int, y: wp.array(dtype=wp.float64)):
        total = wp.float64(0.0)
        for k in range(steps):
            total += wp.sin(wp.float64(k))
        y[wp.tid()] = total

    array, steps = session.empty((64,), "float64"), 20_000
    expected = np.sin(np.arange(steps, dtype=np.float64)).sum()

    def run(y):
        wp.launch(busy, 64, inputs=[steps, y])

    run(array)
    session.poison(array)
    threads = len(os.listdir("/proc/self/task"))
    begin = time.thread_time(), time.process_time()
    run(array)
    mine, everybodys = time.thread_time() - begin[0], time.process_time() - begin[1]
    assert array.numpy() == pytest.approx(expected, abs=1e-6)
    assert mine > 0.8 * everybodys > 0.005
    assert len(os.listdir("/proc/self/task")) == threads
    call = Call(run, {}, prepared=True)
    call.bind((array,))
    timers = session.timers(call)
    assert set(timers) == {"compute"}
    assert min(timers["compute"](3) for _ in range(5)) > 0.5 * mine


@needs_warp
def test_nothing_is_compiled_that_nobody_asks_for(session):
    import warp as wp

    assert session.settings()["warp_enable_backward"] is wp.config.enable_backward is False


SWEPT = {file: swept for file in FILES if (swept := catalog.load(file.parent).implementations[file.stem].parameters)}


@needs_warp
@pytest.mark.parametrize("file", SWEPT, ids=[f"{file.parent.name}/{file.stem}" for file in SWEPT])
def test_blocks_have_the_threads_that_are_swept(session, monkeypatch, file):
    import warp as wp

    launched = []
    for name in ("launch", "launch_tiled"):
        monkeypatch.setattr(wp, name, lambda *_, block_dim, **__: launched.append(block_dim))
    spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder, size, swept = catalog.load(file.parent), 10, SWEPT[file]["block_size"]
    options = folder.spec.options
    inputs = folder.inputs(size, "float64", rng=np.random.default_rng(1), options=options)
    outputs = [session.empty(o.shape, o.dtype) for o in folder.outputs(size, "float64", options) if o.shape]
    for block in swept:
        case = KernelCase(size=size, dtype="float64", options=options, stream=None, block_size=block.plain)
        module.prepare(case)(*inputs.values(), *outputs)
    assert launched == [block.plain for block in swept]


@needs_warp
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
def test_results(cache, tmp_path, file, dtype):
    folder = catalog.load(file.parent)
    dtype = dtype if dtype in folder.spec.dtypes else folder.spec.dtypes[0]
    options, run = folder.spec.options, Runner(folder, tmp_path)
    for size in SIZES.get(folder.name, (0, 1, 2, 33, 65, 130)):
        inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options=options)
        with run.prepared(file.stem, dtype, inputs, size=size, options=options) as call:
            call()
            results = call(inputs)  # uses temporary memory of the first call
        assert_right(folder, results, size=size, dtype=dtype, options=options, inputs=inputs)
