"""Tests of JAX: results of every implementation, clocks compared with explicit loops, and the session of a GPU.

Further tests check that results of unfinished calls are refused. Tests with `needs_jax` are skipped without JAX.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache, partial
from pathlib import Path
from time import perf_counter, sleep
from types import MethodType, SimpleNamespace

import numpy as np
import pytest
import yaml
from least import usual
from run_implementation import Runner

from accelbench import config, project
from accelbench.backends import OpenDevice
from accelbench.backends import jax as backend
from accelbench.environments import paths
from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.model.device import Device
from accelbench.verify.comparison import compare, within
from accelbench.worker.clock import Clock
from accelbench.worker.problem import Call
from accelbench.worker.session import Session

HERE = Path(__file__).parent
KERNELS = {name: catalog.load(path) for name, path in catalog.find([project.ROOT / "kernels"]).items()}
CASES = [(kernel, name) for kernel, folder in KERNELS.items() for name in folder.implementations if name[:4] == "jax_"]
WHOLE = {("mandelbrot", "jax_map"), ("monte_carlo_pi", "jax_jit")}  # their whole numbers are copied in each call
SIZES = (1, 2, 33)  # combined with the first of the kernel's check_sizes
VARIABLES = backend.Session.variables(Device("cpu"), 1)
needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")


@pytest.fixture
def jax():
    """Return JAX, imported as in a worker."""
    os.environ.update(VARIABLES)
    import jax

    assert jax.config.jax_enable_x64
    return jax


@pytest.fixture
def session(jax):
    return Session(backend, "jax", Device("cpu"))


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    home = tmp_path_factory.mktemp("jax")
    return cache(lambda kernel: Runner(KERNELS[kernel], home / kernel))


# implementations


def test_twenty_kernels_have_one():
    assert len({kernel for kernel, _ in CASES}) >= 20


@needs_jax
@pytest.mark.parametrize(("kernel", "name"), CASES)
def test_results_are_the_references(runner, kernel, name):
    folder = KERNELS[kernel]
    options, failed = folder.spec.options, []
    for dtype in folder.spec.dtypes:
        for size in dict.fromkeys((*SIZES, folder.spec.check_sizes[0])):
            rng = np.random.default_rng(size)
            exact = [False, True] if "exact_inputs" in folder.functions else [False]
            for inputs, is_exact in [(folder.inputs(size, dtype, rng=rng, options=options, exact=e), e) for e in exact]:
                try:
                    _check(folder, runner(kernel), name, (size, dtype), inputs, is_exact)
                except WrongResult as wrong:
                    failed.append((dtype, size, is_exact, str(wrong)))
    assert not failed


def _check(folder, run, name, problem, inputs, exact):
    """Raise WrongResult if the second of two calls is wrong. State kept from the first call would make it wrong."""
    (size, dtype), options = problem, folder.spec.options
    with run.prepared(name, dtype, inputs, 8, size) as call:
        again, results = call(), call()
    given = {"options": options, "inputs": inputs}
    expected = folder.expected(size, dtype, **given)
    tolerance = folder.tolerance(size, dtype, **given, expected=expected, exact=exact)
    names = [output.name for output in folder.outputs(size, dtype, options)]
    for output, result, right, allowed in zip(names, results, expected, tolerance, strict=True):
        compare(output, result, np.asarray(right), tolerance=np.asarray(allowed))
    named, before = (dict(zip(names, values, strict=True)) for values in (results, again))
    if "error_metrics" in folder.functions:
        within(folder.error_metrics(size, dtype, **given, results=named | {"again": before}, expected=expected))


@needs_jax
def test_a_donated_result_is_where_the_one_before_was_and_others_are_not(jax, session):
    memory = {}
    for name in ("donated", "jit"):
        run, x = prepared("scale", f"jax_{name}", 100_000), session.empty((100_000,), "float64")
        session.copy_in(x, np.arange(100_000.0))
        results = []
        for _ in range(3):
            result = jax.block_until_ready(run(np.float64(2), x, None))
            assert np.array_equal(np.asarray(result), 2 * np.arange(100_000.0))
            results.append(result if name == "jit" else result.unsafe_buffer_pointer())
        memory[name] = results
    assert len(set(memory["donated"])) == 1
    assert len({result.unsafe_buffer_pointer() for result in memory["jit"]}) == 3


@needs_jax
@pytest.mark.parametrize(("kernel", "name"), [("copy", "jax_jit"), ("launch", "jax_jit")])
def test_a_result_is_no_input(jax, session, kernel, name):
    """The result of an implementation is no alias of an input, although JAX returns an unchanged argument itself."""
    x = session.empty((16,), "float64")
    result = prepared(kernel, name, 16)(*[x, None][: 1 + (kernel != "launch")])
    assert result.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()


def prepared(kernel, name, size):
    """Return the `run` of an implementation in float64."""
    from accelbench.discovery import import_file
    from accelbench.worker.case import KernelCase

    module = import_file(KERNELS[kernel].implementations[name].path)
    case = KernelCase(size=size, dtype="float64", options=KERNELS[kernel].spec.options)
    return module.prepare(case) if hasattr(module, "prepare") else module.run


# the host's session


@needs_jax
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int16"])
@pytest.mark.parametrize("shape", [(0,), (1,), (5, 3), (100_000,)])
def test_arrays_hold_what_the_worker_writes(jax, session, shape, dtype):
    """Arrays contain what the worker writes, even after JAX has computed with them or NumPy has read them."""
    array, host = session.empty(shape, dtype), np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    double = jax.jit(lambda x: x + x)
    for factor in (1, 2):
        session.copy_in(array, factor * host)
        assert (array.dtype, array.shape) == (host.dtype, shape)
        assert np.array_equal(session.copy_out(double(array)), 2 * factor * host)
        assert np.array_equal(session.copy_out(array), factor * host)
        assert session.intact(array)
    if host.size:
        host.reshape(-1)[-1] = 7
        session.update(array, host, np.array([host.size - 1]))
        assert session.copy_out(double(array)).reshape(-1)[-1] == 14
        session.poison(array)
        assert session.copy_out(array).tobytes() == b"\xff" * host.nbytes
    session.release(array)


@needs_jax
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64"])
def test_a_number_with_a_fraction_lies_where_arrays_do(jax, session, dtype):
    number = session.argument(np.dtype(dtype).type(1.5))
    assert isinstance(number, jax.Array)
    assert (number.shape, number.dtype, number.weak_type, number) == ((), dtype, False, 1.5)
    array = session.empty((), dtype)
    assert session.argument(array) is array
    session.release(array)


@needs_jax
@pytest.mark.parametrize("value", [np.int32(3), np.int64(3), np.uint64(3)])
def test_a_whole_number_may_have_to_be_known_beforehand(session, value):
    assert session.argument(value) is value


def drawn(kernel):
    """Return (a dtype of a kernel, inputs of that dtype)."""
    spec = KERNELS[kernel].spec
    rng, dtype = np.random.default_rng(1), spec.dtypes[-1]
    return dtype, KERNELS[kernel].inputs(33, dtype, rng=rng, options=spec.options)


def with_numbers():
    """Return the implementations with numbers among their inputs, except those that copy whole numbers in each call."""
    kernels = {kernel for kernel, _ in CASES if not all(map(np.ndim, drawn(kernel)[1].values()))}
    return [case for case in CASES if case[0] in kernels and case not in WHOLE]


@needs_jax
@pytest.mark.parametrize(("kernel", "name"), with_numbers())
def test_no_call_brings_numbers_to_the_device(jax, runner, kernel, name):
    run, (dtype, inputs) = runner(kernel), drawn(kernel)
    with run.prepared(name, dtype, inputs, size=33) as call:
        call()
        (clock,) = run.worker(name).handles.values()
        with jax.transfer_guard_host_to_device("disallow"):
            jax.block_until_ready(clock.call.once())


@needs_jax
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_another_number_reaches_a_call_and_nothing_is_traced_anew(runner, dtype):
    run = runner("saxpy")
    x, y = np.arange(1000, dtype=dtype), np.ones(1000, dtype)
    saxpy = run.worker("jax_jit").module.saxpy
    saxpy.clear_cache()
    with run.prepared("jax_jit", dtype, {"a": x.dtype.type(2), "x": x, "y": y}) as call:
        for a in (2, 3, 0.5):
            for _ in range(2):
                (out,) = call({"a": x.dtype.type(a), "x": x, "y": y})
                assert out.dtype == dtype
                assert np.array_equal(out, a * x + y)
    assert saxpy._cache_size() == 1


@needs_jax
def test_settings_are_told(session):
    told = {"jax_platforms": "cpu", "jax_enable_x64": True, "jax_default_matmul_precision": "highest"}
    assert told.items() <= session.settings().items()


@needs_jax
def test_more_memory_than_there_is_means_out_of_memory(jax, session):
    with pytest.raises(Exception, match="RESOURCE_EXHAUSTED") as caught:
        jax.block_until_ready(jax.numpy.zeros(1 << 46))
    assert session.explain(caught.value)[0] == "out_of_memory"
    assert session.explain(ValueError("no")) is None


ONE_CORE = """
import os
from pathlib import Path
from time import perf_counter, process_time
import jax
product = jax.jit(lambda a: a @ a)
a = jax.numpy.ones((1500, 1500))
jax.block_until_ready(product(a))
begin, used = perf_counter(), process_time()
while perf_counter() < begin + 1:
    jax.block_until_ready(product(a))
used = (process_time() - used) / (perf_counter() - begin)
names = [task.joinpath("comm").read_text() for task in Path("/proc/self/task").iterdir()]
print(len(os.sched_getaffinity(0)), sum("XLAEigen" in name for name in names), used)
"""


@needs_jax
def test_a_process_on_one_core_has_one_thread_that_computes():
    core = min(os.sched_getaffinity(0))
    cores, pool, used = python(f"import os; os.sched_setaffinity(0, [{core}])\n" + ONE_CORE).split()
    assert (cores, pool) == ("1", "1")
    assert float(used) < 1.05


def python(code, **environment):
    """Return what a script prints in a separate process with a worker's environment variables."""
    clean = os.environ | VARIABLES | {"PYTHONPATH": str(project.ROOT / "workflow")} | environment
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    return done.stdout


# clocks


def chain_of(jax, links):
    """Return a call that takes about 1 µs of a core per link, returns early, and cannot be simplified by a compiler."""
    chain = jax.jit(lambda a: jax.lax.fori_loop(0, links, lambda _, b: jax.numpy.sqrt(b + a), a))
    a = jax.block_until_ready(jax.numpy.ones(1000))
    call = Call(chain, {}, prepared=True)
    call.bind([a])
    jax.block_until_ready(call.once())
    return call


@pytest.fixture
def slow(jax):
    return chain_of(jax, 800)


@pytest.fixture
def slower(jax):
    return chain_of(jax, 40_000)


def by_hand(jax, call, loops, *, each):
    """Return seconds per call of an explicit loop that waits for each call, or for the last only."""
    run, a = call.run, call.namespace["a0"]
    begin = perf_counter()
    for _ in range(loops):
        result = run(a)
        if each:
            result.block_until_ready()
    result.block_until_ready()
    return (perf_counter() - begin) / loops


def agree(first, second, pairs=200):
    """Assert that the minima of two clocks' alternating samples agree within 5 %. Load only lengthens samples."""
    told = [(first(), second()) for _ in range(pairs)]
    ratio = min(a for a, _ in told) / min(b for _, b in told)
    assert abs(ratio - 1) < 0.05, ratio


@needs_jax
def test_calls_return_before_their_work_is_done(jax, slower):
    """The tests of clocks rely on calls that return early."""
    returned = min(launched(jax, slower) for _ in range(5))
    assert returned < 0.2 * by_hand(jax, slower, 5, each=True)


def launched(jax, call):
    begin = perf_counter()
    result = call.once()
    seconds = perf_counter() - begin
    jax.block_until_ready(result)
    return seconds


@needs_jax
def test_compute_is_what_a_loop_by_hand_takes(jax, session, slow):
    compute = session.timers(slow)["compute"]
    agree(partial(compute, 2), partial(by_hand, jax, slow, 2, each=True))


@needs_jax
def test_what_a_device_takes_is_what_a_loop_by_hand_takes(jax, session, slow):
    timers = backend.host_timers(session, slow)
    assert slow.mark == "unseen"
    agree(partial(timers["compute"], 2), partial(by_hand, jax, slow, 2, each=False))
    agree(partial(timers["call"], 2), partial(by_hand, jax, slow, 2, each=True))
    assert timers["launch"](5) < 0.2 * timers["call"](5)


class FarDevice:
    """A device that runs calls one after the other, each in `each_s`.

    The host observes the end of a call `late_s` later, and needs `launch_s` to launch a call.
    """

    def __init__(self, each_s, late_s=0.0, launch_s=0.0):
        self._queue, self._late_s = ThreadPoolExecutor(1), late_s
        self.call = Call(partial(self._launch, each_s, launch_s), {}, prepared=True)
        self.call.bind([])
        self.marker = partial(self._launch, 0, 0)

    def _launch(self, each_s, launch_s):
        sleep(launch_s)
        done = self._queue.submit(sleep, each_s)
        done.is_ready = done.done
        return done

    def wait(self, result):
        result.result()
        sleep(self._late_s)

    def synchronise(self):
        self._queue.submit(int).result()


def test_news_that_is_late_is_not_the_time_of_calls_that_others_lead():
    device = FarDevice(each_s=0.005, late_s=0.010)
    compute = backend.host_timers(device, device.call)["compute"]
    assert usual(partial(compute, lead=True), 8, 0.005) == pytest.approx(0.005, rel=0.1)
    assert min(compute(8) for _ in range(5)) > 1.15 * 0.005  # without leading calls, the delay is included


def test_calls_that_the_host_launches_slowly_take_as_long_as_that():
    device = FarDevice(each_s=0.0001, launch_s=0.003)
    compute = partial(backend.host_timers(device, device.call)["compute"], lead=True)
    assert usual(compute, 8, 0.003) == pytest.approx(0.003, rel=0.1)


def test_timers_of_a_copied_call_leave_the_timers_of_the_call_alone():
    """A Clock makes timers of a call, and then of a copy of the call. The call and its copy share a namespace."""
    device = FarDevice(each_s=0.001)
    timers = backend.host_timers(device, device.call)
    copied = backend.host_timers(device, copy(device.call))
    for kind in ("compute", "throughput", "call", "launch"):
        for own in (timers, copied, timers):
            assert own[kind](2) > 0


@needs_jax
@pytest.mark.parametrize("kind", ["compute", "throughput", "call"])
def test_no_clock_stops_before_every_result_is_there(jax, session, slower, kind):
    results, run = [], slower.namespace["run"]
    slower.namespace["run"] = lambda a: results.append(run(a)) or results[-1]
    timers = session.timers(slower) if kind == "compute" else backend.host_timers(session, slower)
    for _ in range(5):
        timers[kind](2)
        assert len(results) >= 2
        assert all(result.is_ready() for result in results)
        results.clear()
    early = [not slower.once().is_ready() for _ in range(5)]
    assert any(early)  # calls are asynchronous if no clock waits


@needs_jax
def test_first_calls_compile_and_later_ones_do_not(runner):
    inputs = {name: np.ones(1000) for name in ("x", "y")}
    run, worker = runner("vector_add"), runner("vector_add").worker("jax_jit")
    with run.prepared("jax_jit", "float64", inputs, size=1000):
        (clock,) = worker.handles.values()
        (first, _), (second, _) = clock.row(1), clock.row(1)
    assert first > 10 * second


@needs_jax
def test_without_its_wait_a_call_is_wrong(runner):
    """A backend without `wait` gives a wrong result, although reading a JAX array waits for the array."""
    run = runner("vector_add")
    inputs = {name: np.ones(1000) for name in ("x", "y")}
    assert np.array_equal(run("jax_jit", "float64", inputs)[0], np.full(1000, 2.0))
    session = run.session("jax")[1]
    before, session.wait = session.wait, MethodType(OpenDevice.wait, session)
    try:
        with pytest.raises(WrongResult, match=r"with a method block_until_ready, so it may be computed after"):
            run("jax_jit", "float64", inputs)
    finally:
        session.wait = before


@needs_jax
def test_downloads_of_a_donated_result_are_of_one_that_is_there(runner):
    run, worker = runner("scale"), runner("scale").worker("jax_donated")
    inputs = {"factor": np.float64(2), "x": np.arange(1000.0)}
    with run.prepared("jax_donated", "float64", inputs, size=1000):
        (clock,) = worker.handles.values()
        assert isinstance(clock, Clock)
        for _ in range(3):
            taken = clock.sample({"compute": 2, "upload": 2, "download": 2, "end_to_end": 2}, (), cold=False)
            assert all(seconds > 0 for seconds in taken.values())


# GPUs


@pytest.fixture(scope="module")
def pretended(tmp_path_factory):
    """Return environment variables with which a process finds a stand-in for the driver."""
    folder = tmp_path_factory.mktemp("driver")
    source = HERE.parent / "backends" / "pretended_driver.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", folder / "libcuda.so.1", source], check=True)
    return {"LD_LIBRARY_PATH": str(folder)}


def look(**environment):
    code = "from accelbench.machine import look; look.main('jax')"
    return json.loads(python(code, **environment))["jax"]


@needs_jax
def test_where_there_is_no_driver_there_is_the_host(tmp_path):
    found = look(LD_LIBRARY_PATH=str(tmp_path))
    if importlib.util.find_spec("jax_cuda12_plugin") or importlib.util.find_spec("jax_cuda13_plugin"):
        pytest.skip("JAX is installed with a CUDA plugin")
    assert found["available"]
    assert [device["name"] for device in found["devices"]][:1] == ["cpu"]


@needs_jax
def test_gpus_without_a_plugin_are_told_what_to_install(pretended):
    if importlib.util.find_spec("jax_cuda12_plugin") or importlib.util.find_spec("jax_cuda13_plugin"):
        pytest.skip("JAX is installed with a CUDA plugin")
    found = look(**pretended)
    assert [device["name"] for device in found["devices"]] == ["cpu"]
    assert found["reason"] == "NVIDIA Pretence: jax has no CUDA plugin: pip install 'jax[cuda12]'"


@needs_jax
def test_gpus_without_a_plugin_for_which_there_is_a_lock_are_told_it_and_its_configuration(pretended, tmp_path):
    if importlib.util.find_spec("jax_cuda12_plugin") or importlib.util.find_spec("jax_cuda13_plugin"):
        pytest.skip("JAX is installed with a CUDA plugin")
    found = look(**pretended, PRETEND_CUDA="13000")
    told = re.search(r"make install LOCK=(\w+), then (.*) in the configuration$", found["reason"])
    assert paths.has_lock(told[1])
    (asked,) = config.parse(yaml.safe_load(told[2]), "told").environments.items()
    assert (asked[0], asked[1].backends) == (told[1], ("jax",))
    assert found["remedy"] == told[0]


def test_gpus_that_jax_does_not_use_have_a_reason_each():
    """Each GPU that JAX does not use has a reason: JAX fails to start, or lists fewer GPUs than the driver."""

    def devices(platform):
        raise RuntimeError("Unable to initialize backend 'cuda'")

    gpus, plugins = [Device("NVIDIA H200 #1", "gpu"), Device("NVIDIA H200 #2", "gpu")], {"jax-cuda13-plugin": "0.11.2"}
    reasons = backend._reasons(SimpleNamespace(devices=devices), gpus, plugins)
    assert [*map(str, reasons)] == ["JAX does not start on this device: Unable to initialize backend 'cuda'"] * 2
    one = SimpleNamespace(devices=lambda platform: [SimpleNamespace(local_hardware_id=1)])
    first, second = backend._reasons(one, gpus, plugins)
    assert (str(first), second) == ("JAX does not list this device", None)


def test_a_gpu_is_the_first_that_jax_sees_and_is_given_no_memory_beforehand():
    device = Device("NVIDIA H200 #3", "gpu", {"device": 2})
    chosen = backend.Session.variables(device, None)
    assert chosen["CUDA_VISIBLE_DEVICES"].startswith("2,")
    assert (chosen["JAX_PLATFORMS"], chosen["JAX_CUDA_VISIBLE_DEVICES"]) == ("cuda", "0")
    assert chosen["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert chosen["NVIDIA_TF32_OVERRIDE"] == "0"


GPU = """
import numpy as np
from accelbench.backends import jax as backend
from accelbench.model.device import Device, DeviceLimits
from accelbench.worker.problem import Call
from accelbench.worker.session import Session

session = Session(backend, "jax", Device("NVIDIA Pretence", "gpu", {"device": 0}, DeviceLimits()))
import jax
double = jax.jit(lambda x: x + x)
for shape in ((0,), (5, 3), (100_000,)):
    array, host = session.empty(shape, "float64"), np.arange(float(np.prod(shape))).reshape(shape)
    for factor in (1, 2):
        session.copy_in(array, factor * host)
        into = np.empty(shape)
        assert np.array_equal(session.copy_out(double(array)), 2 * factor * host)
        assert session.copy_out(array, into) is into
        assert np.array_equal(into, factor * host)
    if host.size:
        host.reshape(-1)[-1] = 7
        session.update(array, host, np.array([host.size - 1]))
        assert session.copy_out(double(array)).reshape(-1)[-1] == 14
        session.poison(array)
        session.synchronise()
        assert session.copy_out(array).tobytes() == b"\\xff" * host.nbytes
    assert session.intact(array)
    session.release(array)
number, whole = session.argument(np.float32(1.5)), np.int32(3)
assert isinstance(number, jax.Array) and number.dtype == "float32" and session.copy_out(number) == 1.5
assert session.argument(whole) is whole
assert session.copy_out(np.float64(3)) == 3
assert session.copy_out(double(np.float64(3))) == 6
assert session.settings()["jax_enable_x64"]
assert session.explain(RuntimeError("RESOURCE_EXHAUSTED: Out of memory while trying"))[0] == "out_of_memory"
call = Call(double, {}, prepared=True)
call.bind([session.empty((1000,), "float64")])
session.wait(call.once())
taken = {kind: timer(5) for kind, timer in session.timers(call).items()}
assert set(taken) == {"compute", "throughput", "call", "launch"} and min(taken.values()) > 0, taken
assert session.timers(call)["compute"](20, lead=True) > 0
assert call.mark == "unseen"
session.flush_cache()
assert session.launch_facts(call) is None and session.lost() is None
"""


@needs_jax
def test_arrays_and_clocks_of_a_gpu(pretended):
    """The GPU session's arrays and clocks work on a stand-in for the driver, whose memory is the host's."""
    python(GPU, **pretended)


@pytest.mark.gpu
@needs_jax
def test_arrays_and_clocks_of_a_gpu_that_is_here():
    gpus = [device for device in look(JAX_PLATFORMS="")["devices"] if device["kind"] == "gpu"]
    if not gpus:
        pytest.skip("JAX finds no GPU")
    name = gpus[0]["name"].partition(" #")[0]
    python(GPU.replace("NVIDIA Pretence", name), **backend.Session.variables(Device(name, "gpu", {"device": 0}), None))
