"""Tests of the place of a problem's arrays and of the work that is timed, for kernels located on the host."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, SimpleNamespace

import numpy as np
import pytest

from accelbench.backends import OpenDevice, host
from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.rpc.messages import TruthKey
from accelbench.verify.truth import Truth
from accelbench.worker import problem as problem_module
from accelbench.worker.clock import Clock
from accelbench.worker.problem import Call, HostSide, LoadedProblem, _same

TRANSFER = Path(__file__).parents[2] / "kernels" / "transfer"
SIZE = 1_000


@dataclass
class Array:
    """Array of a library, in the memory of a device."""

    numbers: np.ndarray


class Device(OpenDevice):
    """Device that queues its work and runs it only when it is synchronised."""

    ON_HOST, PINNED = False, True

    def __init__(self):
        self.asked, self.flushed, self.waits, self.queue = [], 0, 0, "the queue"

    def empty(self, shape, dtype):
        return Array(np.empty(shape, dtype))

    def release(self, array):
        pass

    def copy_out(self, value, into=None):
        return np.asarray(value.numbers if isinstance(value, Array) else value)

    def synchronise(self):
        self.waits += 1
        while self.asked:
            self.asked.pop(0)()

    def flush_cache(self):
        self.asked.append(lambda: setattr(self, "flushed", self.flushed + 1))


@pytest.fixture
def device():
    return Device()


@pytest.fixture
def message(request):
    """Yield the message for a problem of the kernel `transfer`, of SIZE or of the size that the test gives."""
    names = {"problem": "transfer", "size": getattr(request, "param", SIZE), "dtype": "float64", "options": {}}
    key = TruthKey(folder=str(TRANSFER), **names, seed=1, which=0, exact=False)
    truth = Truth(catalog.load_specification(TRANSFER), key)
    yield replace(truth.message(), file=truth.file, location="host")
    truth.close()


def called(device, problem, run):
    """Return a Call that queues `run` on the device without waiting for the end of `run`."""
    call = Call(lambda *arguments: device.asked.append(lambda: run(*arguments)), {}, prepared=True)
    call.bind(problem.arguments)
    return call


def copy(x, out):
    out[:] = x


def test_arrays_are_ordinary_host_memory(device, message):
    """Inputs are read-only, and outputs lie between guard zones."""
    problem = LoadedProblem(device, SimpleNamespace(), message)
    x, out = problem.arguments
    assert type(x) is type(out) is np.ndarray
    assert not x.flags.writeable
    assert problem.on_host
    call = called(device, problem, copy)
    call.once()
    device.synchronise()
    np.testing.assert_array_equal(problem.answer(None, call)[0]["out"], x)
    problem.check_inputs()
    np.ndarray(SIZE + 1, out.dtype, out.base, out.ctypes.data - out.base.ctypes.data)[-1] = 0
    with pytest.raises(WrongResult, match="outside out"):
        problem.answer(None, call)


def test_a_call_compiles_nothing(device, message, monkeypatch):
    """The statement of a call is compiled once. Compiling it in each call would add 10 us to `end_to_end`."""
    given, asked = [], []
    monkeypatch.setattr(problem_module, "eval", lambda *what: given.append(what[0]) or eval(*what), raising=False)
    monkeypatch.setattr(problem_module, "compile", lambda *what: asked.append(what) or compile(*what), raising=False)
    call = Call(lambda x, y, factor: (x, y, factor), {"factor": 3}, prepared=False)
    for arguments in ((1, 2), (3, 4)):
        call.bind(arguments)
        assert call.once() == (*arguments, 3)
    assert all(type(each) is CodeType for each in given)
    assert len(asked) == 1
    call.bind((5,))
    assert call.statement == "run(a0, factor=factor)"


def test_what_run_returns_may_lie_on_the_device(device, message):
    """`run` may return an array on the device. The device's session copies the array to the host."""
    there = []
    device.copy_out = lambda value, into=None: value[0] if value is there else np.asarray(value)
    problem = LoadedProblem(device, SimpleNamespace(), message)
    there.append(problem.arguments[0].copy())
    np.testing.assert_array_equal(problem.answer(there, None)[0]["out"], there[0])


def test_the_clock_stops_when_the_device_has_done_everything(device, message):
    """Only `compute` is timed, by the host's clock. The device is synchronised per sample, not per call."""
    problem = LoadedProblem(device, SimpleNamespace(), message)
    done = []
    clock = Clock(problem.session, problem, called(device, problem, lambda x, out: done.append(1)))
    assert list(clock.timers) == ["compute"]
    before = device.waits
    assert clock.timers["compute"](5) > 0
    assert len(done) == 5
    assert device.waits == before + 1
    assert not device.asked


def test_a_call_that_is_made_once_is_waited_for():
    waited = []

    class Waiting(host.Session):
        def wait(self, result):
            waited.append(result)

    call = Call(lambda: "promised", {}, prepared=True)
    call.bind(())
    seconds, result = Clock(Waiting("numpy", None), SimpleNamespace(on_host=True, convert=None), call).row(1)
    assert (result, waited) == ("promised", ["promised"])
    assert seconds > 0


@pytest.mark.parametrize(("mark", "loops"), [(None, (2, 10)), ("unseen", (40, 40))])
def test_samples_of_a_device_by_the_hosts_clock_last_four_times_as_long(device, message, mark, loops):
    """Longer samples reduce the relative effect of the delay with which the host notices the end of a sample.

    Only the mark `unseen` makes samples longer. With this mark, an untimed call precedes even calls of 10 ms. The 2 ms
    that the host needs to launch the calls reduce the number of calls only without the mark.
    """
    problem = LoadedProblem(device, SimpleNamespace(), message)
    call = called(device, problem, copy)
    call.mark, call.once, led = mark, lambda: None, []

    def compute(loops, lead=False):
        time.sleep(0.002)
        led.append(lead)
        return seconds

    session = SimpleNamespace(
        wait=id, synchronise=lambda: None, timers=lambda call: dict.fromkeys(["compute", "throughput"], compute)
    )
    settings = {"warm_up_s": 0.0, "calls": 1, "known": [], "sample_s": {"compute": 0.001, "call": 0.001}}
    seconds = 1e-4
    found = Clock(session, problem, call).warm_up(**settings)
    assert tuple(count for _, count in found.values()) == pytest.approx(loops, abs=1)
    seconds = 0.010
    clock = Clock(session, problem, call)
    clock.warm_up(**settings)
    led.clear()
    clock.sample({"compute": 1, "throughput": 1}, [], False)
    assert led == [mark is not None] * 2


def test_cold_samples_do_not_time_the_flush(device, message):
    """The flush of the caches ends before the clock starts."""
    problem = LoadedProblem(device, SimpleNamespace(), message)
    problem.session.flush_cache()
    assert device.flushed == 1
    assert not device.asked


def test_a_case_runs_on_without_pause(device, message):
    """`run_on` counts all calls, and synchronises the device only after batches of calls. A call takes 2 ms."""
    problem = LoadedProblem(device, SimpleNamespace(), message)
    took = []

    def sleep(x, out):
        begin = time.perf_counter()
        time.sleep(0.002)
        took.append(time.perf_counter() - begin)

    begin, end, calls = Clock(problem.session, problem, called(device, problem, sleep)).run_on(0.1, restore=True)
    assert calls == len(took)
    assert end - begin >= 0.1
    assert sum(took) == pytest.approx(end - begin, rel=0.3)


def test_conversion_is_timed_as_upload(device, message):
    """Conversion of inputs to another representation is part of `end_to_end`, but not of `compute`."""
    problem = LoadedProblem(device, SimpleNamespace(convert=lambda x: (x.copy(),)), message)
    clock = Clock(problem.session, problem, called(device, problem, copy))
    assert list(clock.timers) == ["compute", "end_to_end", "upload"]
    assert all(timer(1) > 0 for timer in clock.timers.values())


@pytest.mark.parametrize("message", [100_000], indirect=True)
@pytest.mark.parametrize(
    ("convert", "works"),
    [
        (None, None),
        (lambda x: (x,), False),
        (lambda x: (x.copy(),), False),
        (lambda x: ([2 * value for value in x.tolist()],), True),
        (lambda x: (sum(np.exp(x / n) for n in range(1, 30)),), True),
    ],
)
def test_conversion_that_takes_longer_than_copies_is_told(device, message, convert, works):
    module = SimpleNamespace(convert=convert) if convert else SimpleNamespace()
    problem = LoadedProblem(device, module, message)
    for _ in range(3):
        problem.change({})
    assert problem.works_in_convert() is works


def test_conversion_may_ask_for_the_queue(device, message):
    """`convert` may have a parameter `queue` beside the inputs, even if the kernel's location is the device."""
    asked = []
    module = SimpleNamespace(convert=lambda x, queue: asked.append(queue) or (x,))
    LoadedProblem(device, module, message)
    device.empty = lambda shape, dtype: np.empty(shape, dtype)
    device.copy_in = lambda array, values: np.copyto(array, values)
    LoadedProblem(device, module, replace(message, location="device"))
    assert asked == ["the queue"] * 2


@pytest.mark.parametrize("message", [1_000_000], indirect=True)
@pytest.mark.parametrize(("count", "one_by_one"), [(1, True), (30, True), (31, False), (1000, False)])
def test_changed_elements_come_over_one_by_one_where_that_takes_less(device, message, count, one_by_one):
    """A few changed elements are copied one by one; if there are many, the whole array is copied.

    Each check of a case changes its arrays about twenty times, so many single copies would take minutes.
    """
    device.empty = lambda shape, dtype: np.empty(shape, dtype)
    copied, updated = [], []
    device.copy_in = lambda array, values: copied.append(values.size) or np.copyto(array, values)
    device.update = lambda array, values, places: updated.append(len(places)) or np.copyto(array, values)
    problem = LoadedProblem(device, SimpleNamespace(), replace(message, location="device"))
    x, _ = problem.arguments
    places, values = np.arange(0, count * 1000, 1000), -np.arange(1.0, count + 1)
    copied.clear()
    problem.change({"x": (places, values)})
    assert (copied, updated) == (([], [count]) if one_by_one else ([x.size], []))
    np.testing.assert_array_equal(x[places], values)


def test_kernels_on_the_device_and_host_backends_keep_their_session(device, message):
    """Only cases of host kernels on a device have a HostSide."""
    session = host.Session("numpy", None)
    assert LoadedProblem(session, SimpleNamespace(), message).session is session
    device.empty = lambda shape, dtype: np.empty(shape, dtype)
    device.copy_in = lambda array, values: np.copyto(array, values)
    found = LoadedProblem(device, SimpleNamespace(), replace(message, location="device"))
    assert found.session is device
    assert not isinstance(found.session, HostSide)


class Later(host.Session):
    """Session of a library whose calls return a duration in seconds at once; wait() then waits for this duration."""

    def wait(self, result):
        time.sleep(result)


@pytest.mark.parametrize("where", ["host", "device"])
def test_a_result_that_must_be_waited_for_is_waited_for_in_every_call(where):
    session = Later("numpy", None)
    session = session if where == "host" else HostSide(session)
    call = Call(lambda: 0.002, {}, prepared=True)
    call.bind(())
    assert session.timers(call)["compute"](10) >= 0.002


def test_convert_that_returns_nothing_is_named(message):
    with pytest.raises(TypeError, match="convert returned None, not a dictionary or tuple of the arguments of run"):
        LoadedProblem(host.Session("numpy", None), SimpleNamespace(convert=lambda **given: None), message)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64", "int32", "uint8", "bool"])
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3,), (4, 2), (2, 3, 5)])
def test_inputs_are_the_same_where_all_their_bytes_are(shape, dtype):
    array = np.ones(shape, dtype)
    assert _same(array, array.copy())
    assert _same(np.asfortranarray(array), array)
    if array.size:
        other = array.copy()
        other.reshape(-1)[-1] = 0
        assert not _same(array, other)


@pytest.mark.parametrize("extra", [0, 64_000_000])
def test_memory_beyond_the_arrays_is_found(message, extra):
    """Temporary memory of a call counts for the case of the call, but not for cases that are sampled later."""
    session = host.Session("numpy", None)

    def sampled(run):
        problem = LoadedProblem(session, SimpleNamespace(), replace(message, location="device"))
        call = Call(run, {}, prepared=True)
        call.bind(problem.arguments)
        clock = Clock(problem.session, problem, call)
        clock.sample({"compute": 2}, [], cold=False)
        return clock.sample_facts().peak_memory_bytes

    more = sampled(lambda x, out: copy(x, out + np.ones(extra // 8).sum()))
    less = sampled(copy)
    assert more - less == pytest.approx(extra, abs=8_000_000)
