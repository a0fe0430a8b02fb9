"""The clock of one case in a worker: warm-up, choice of loops, and samples, with the timers of the backend."""

import contextlib
import math
import operator
import os
import resource
from copy import copy
from functools import partial
from time import clock_gettime, perf_counter, process_time
from timeit import Timer
from types import FunctionType

from accelbench.backends import MARKS, UNSEEN
from accelbench.errors import WrongResult
from accelbench.processes.keeper import descendants
from accelbench.rpc.messages import SampleFacts
from accelbench.worker.leftovers import has_children

PROBE_S = 1e-4  # Duration of a timing in the warm-up, in seconds, well above the clock's resolution
MAX_LOOPS = 1 << 24
FASTEST_BUS = 1e11  # Maximum rate of transfers between host and device, in bytes/s, to estimate their minimum time
# Time of a call, in seconds, below which a device's timer may make an untimed call before the timed loop. The device is
# then busy while the host launches the first timed call.
LEAD_BELOW_S = 0.005
# Factor of sample_s and LEAD_BELOW_S if a Session's method `timers` sets the mark UNSEEN: the host's clock then times
# the device. A mark that a timer sets later has no effect on these durations.
LATE = 4
LAUNCHING = 3  # Maximum ratio of the time to launch a sample's calls to the time of these calls on the device
LEAST_S = 1e-9  # Minimum of the seconds per call that `row` returns
PROCESS_CLOCK = 2  # Linux's CPUCLOCK_SCHED, a part of the id of a process's CPU clock
BATCH_S = 0.005  # Time of a batch of untimed calls in `run_on`, in seconds


class Clock:
    """Timers of one case, and the observations during its samples.

    timers  {kind of time: timer}: the backend's timers, and transfer timers if the case transfers or converts data
    """

    def __init__(self, session, problem, call):
        self.session, self.problem, self.call = session, problem, call
        self.timers = session.timers(call)
        self.times_device = "throughput" in self.timers
        self._launched = self.timers["throughput" if self.times_device else "compute"]
        self._late = LATE if self.times_device and call.mark == UNSEEN else 1
        self._returned, self._called = None, False
        self._call_s = self._host_s = math.inf
        self._cpu_s = self._wall_s = 0.0
        self._switches, self._peak_bytes = 0, None
        if not problem.on_host or problem.convert:
            for pinned, suffix in ((False, ""), (True, "_pinned"))[: 1 + session.PINNED]:
                self.timers[f"end_to_end{suffix}"] = partial(self._transfers, self._end_to_end, pinned)
                self.timers[f"upload{suffix}"] = partial(self._transfers, self._upload, pinned)
                if not problem.on_host:
                    self.timers[f"download{suffix}"] = partial(self._transfers, self._download, pinned)
        recording = copy(call)
        recording.statement = f"_record({call.statement})"
        self._rows = session.timers(recording)["throughput" if self.times_device else "compute"]
        self._before = self._timing()

    @property
    def has_its_timers(self):
        """Return whether all timers, and the functions in their arguments and closures, are still the original ones."""
        now = self._timing()
        return len(now) == len(self._before) and all(map(operator.is_, now, self._before))

    def _timing(self):
        """Return the Clock's timers, the functions in their arguments and closures, and the code of these functions."""
        return [part for timer in (*self.timers.values(), self._launched, self._rows) for part in _parts(timer)]

    def warm_up(self, *, warm_up_s, calls, sample_s, known):
        """Warm up a case, and choose the loops of its samples. Return {kind of time: (seconds per call, loops)}.

        warm_up_s  time in seconds after which no further batch of timings starts
        calls      minimum number of calls. The first `calls` - 1 calls are untimed, since they may compile
        sample_s   duration of a sample in seconds: {"compute": for `compute`, "call": for all other kinds of time}
        known      kinds of time, other than `compute`, whose loops are known or not needed

        Time batches of 5 timings of `compute` until the medians of two consecutive batches agree within 1 %, or until
        `warm_up_s` is over. A batch has only 1 timing if 5 timings would take longer than `warm_up_s`. Then choose how
        many loops a sample of duration `sample_s` needs, for `compute` and each other kind of time that is not `known`.
        `compute` gets fewer loops if the host takes much longer to launch the calls than the device takes to run them.
        """
        self.problem.restore()
        for _ in range(calls - 1):
            self._untimed()
        compute, began = self.timers["compute"], perf_counter()
        seconds, loops = self._loops_for(compute, PROBE_S)
        host_s = self._host_s
        previous, spent = None, seconds * loops
        while max(spent, perf_counter() - began) < warm_up_s:
            begin = perf_counter()
            batch = [self._led(compute, loops, seconds) for _ in range(5 if 5 * seconds * loops < warm_up_s else 1)]
            host_s = (perf_counter() - begin) / (loops * len(batch))
            spent += sum(batch) * loops
            seconds = sorted(batch)[len(batch) // 2]
            if previous is not None and abs(seconds - previous) <= 0.01 * previous:
                break
            previous = seconds
        self._call_s = seconds
        target, other_target = (self._late * sample_s[kind] for kind in ("compute", "call"))
        limit = _loops(LAUNCHING * target, host_s) if self.times_device and self._late == 1 else MAX_LOOPS
        timings = {"compute": (seconds, min(_loops(target, seconds), limit))}
        for kind, timer in self.timers.items():
            if kind != "compute" and kind not in known:
                # No trial is needed if a single call takes as long as a sample.
                least = max(seconds, self._bytes_over(kind) / FASTEST_BUS)
                timings[kind] = self._loops_for(timer, other_target) if least < other_target else (least, 1)
        if "launch" in timings:
            # The untimed synchronisation afterwards takes time too, so limit the number of loops.
            timings["launch"] = timings["launch"][0], min(timings["launch"][1], _loops(other_target, seconds))
        return timings

    def _bytes_over(self, kind):
        """Return the number of bytes that each call transfers in a sample of `kind`."""
        way, moved = kind.removesuffix("_pinned"), self.problem.transferred_bytes()
        return sum(moved.values()) if way == "end_to_end" else moved.get(way, 0)

    def _loops_for(self, timer, target):
        """Return (seconds per call, number of loops that last `target` seconds). Try increasing numbers of loops."""
        loops = 1
        while True:
            self.problem.restore()
            begin = perf_counter()
            seconds = timer(loops)
            self._host_s = (perf_counter() - begin) / loops
            if max(seconds, self._host_s / LAUNCHING) * loops >= target / 4 or loops >= MAX_LOOPS:
                return seconds, _loops(target, seconds)
            loops = min(max(loops * 4, _loops(target / 2, seconds)), loops * 64, MAX_LOOPS)

    def sample(self, loops, primed, cold):
        """Take one sample of each kind of time in `loops`, {kind: calls}. Return {kind: seconds per call}.

        primed  kinds of time with an untimed call before the sample
        cold    whether to empty the device's caches before each call of a sample of `compute`. Sessions of the device
                "cpu" empty no caches
        """
        taken = {}
        for kind, count in loops.items():
            self.problem.restore()
            if kind in primed:
                self._untimed()
                self.problem.restore()
            timer = self.timers[kind]
            if kind != "compute":
                taken[kind] = self._led(timer, count, self._call_s) if kind == "throughput" else timer(count)
                continue
            if first := not self._wall_s:
                _count_peak_anew()
            switches, begin, cpu = _switches(), perf_counter(), _cpu_s()
            taken[kind] = self._cold(count) if cold else self._led(timer, count, self._call_s)
            self._cpu_s += _cpu_s() - cpu
            self._wall_s += perf_counter() - begin
            self._switches += _switches() - switches
            if first:
                self._peak_bytes = _peak_bytes()
        return taken

    def _led(self, timer, loops, seconds):
        return timer(loops, lead=seconds < self._late * LEAD_BELOW_S)

    def _untimed(self):
        self.session.wait(self.call.once())
        self.session.synchronise()

    def sample_facts(self):
        """Return the SampleFacts of the samples so far."""
        marks = {mark: self.call.mark == mark for mark in MARKS} if self.times_device else {}
        return SampleFacts(
            cores_used=self._cpu_s / self._wall_s if self._wall_s else None,
            switches_per_s=self._switches / self._wall_s if self._wall_s else None,
            works_in_convert=self.problem.works_in_convert(),
            peak_memory_bytes=self._peak_bytes and max(1, self._peak_bytes - self.problem.array_bytes()),
            **marks,
        )

    def row(self, calls, between=None):
        """Make `calls` calls in one timed loop. Return (seconds per call, last result).

        Callers must read the last result at once, to detect a result that is computed after the clock has stopped.

        between  function that runs before each call except the first, as soon as the previous call has finished. Its
                 argument is the number of calls left. The seconds per call exclude the function and the wait for the
                 previous call
        """
        made, between_s, last = 0, 0.0, None

        def record(result):
            nonlocal made, between_s, last
            made += 1
            if made == calls:
                last = result
            elif between:
                begin = perf_counter()
                self.session.wait(result)
                self.session.synchronise()
                between(calls - made)
                between_s += perf_counter() - begin
            return result  # so that callers can synchronise on it

        self.call.namespace.update(_record=record)
        seconds = self._rows(calls)
        self.call.namespace.update(_record=None)
        if made != calls:
            raise WrongResult(f"a loop of {calls} calls made {made}")
        return max(seconds - between_s / calls, LEAST_S), last

    def _cold(self, loops):
        total = 0.0
        for _ in range(loops):
            self.session.flush_cache()
            total += self.timers["compute"](1)
        return total / loops

    def _stage(self, pinned):
        """Make an untimed call, and allocate host arrays for transfers. Do nothing if `problem` has host arrays.

        Keep the result of the untimed call. Repeat this call only if a later call has reused the memory of its result.
        """
        if self.problem.on_host:
            return
        if not self._called or self.session.spent(self._returned):
            self._returned, self._called = self.call.once(), True
            self.session.wait(self._returned)
            self.session.synchronise()
            self.problem.restore()
        self.problem.stage(self._returned, pinned)

    def _transfers(self, transfer, pinned, loops):
        """Time `transfer` with `loops` loops. Return the seconds per loop."""
        self._stage(pinned)
        begin = perf_counter()
        transfer(pinned, loops)
        return (perf_counter() - begin) / loops

    def _upload(self, pinned, loops):
        for _ in range(loops):
            self.problem.upload(pinned)
        self.session.synchronise()

    def _download(self, pinned, loops):
        for _ in range(loops):
            self.problem.results(self._returned, pinned)

    def _end_to_end(self, pinned, loops):
        call = self.call
        for _ in range(loops):
            arguments = self.problem.upload(pinned)
            if arguments is not None:
                call.bind(arguments)
            self.problem.results(call.once(), pinned)

    def run_on(self, seconds, restore):
        """Call the case for about `seconds`, in batches of BATCH_S. The calls pause only between batches.

        Return (begin, end, calls), with times of time.perf_counter, which all processes of a machine share.

        restore  whether to restore the starting values of outputs first
        """
        if restore:
            self.problem.restore()
        # If there is no timer `call`, the time `compute` includes the wait for the device.
        waited_for = self.timers.get("call", self.timers["compute"])
        begin, calls = perf_counter(), 1
        loops = _loops(BATCH_S, min(self._call_s, waited_for(1)))
        while perf_counter() < begin + seconds:
            self._launched(loops)
            calls += loops
        return begin, perf_counter(), calls


def _parts(timer):
    """Yield a timer, the functions and timeit's Timers in its arguments and closure, and the code of each function."""
    yield timer
    if isinstance(timer, partial):
        yield from _parts(timer.func)
        for argument in timer.args:
            yield from _parts(argument)
    elif isinstance(timer, Timer):
        for part in vars(timer).values():
            yield from _parts(part)
    elif isinstance(timer, FunctionType):
        yield timer.__code__
        for cell in timer.__closure__ or ():
            yield from _parts(cell.cell_contents)


def _cpu_s():
    """Return the CPU time of this process and of all its descendants, in seconds."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = process_time() + ended.ru_utime + ended.ru_stime
    for process in descendants(os.getpid()) if has_children() else ():
        with contextlib.suppress(OSError):  # the process has ended
            seconds += clock_gettime(~process << 3 | PROCESS_CLOCK)
    return seconds


def _count_peak_anew():
    """Reset the peak memory of this process."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def _peak_bytes():
    """Return the peak memory of this process since the last reset, in bytes, or None if it is unknown."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        return next((1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM")), None)


def _switches():
    """Return the number of involuntary context switches of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def _loops(target, seconds):
    return max(1, min(round(target / max(seconds, 1e-9) + 0.5), MAX_LOOPS))
