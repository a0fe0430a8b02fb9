"""Measurement of the energy of a call, with the energy counter of the GPU.

The coordinator reads the counter while a worker runs the case. A thread of the worker would read the counter too late,
since a loop of short launches hardly ever releases the global interpreter lock.
"""

import contextlib
import math
import threading
import time

import numpy as np

BURST_S = 0.05  # Time for which a worker runs the case per request, in seconds; sending a request takes far less
LOOK_S = 0.001  # Interval between readings of the counter in seconds; the counter changes every 20 to 100 ms
SLOWED = 2.0  # Maximum of (time of a call / its time in the samples); the energy of slower calls is discarded
PATIENCE_S = 1.0  # Maximum time of a measurement in addition to `seconds`, in seconds


def per_call(read, burst, seconds, *, usual_s=math.inf):
    """Return the energy of a call in joules.

    Return None if there is no counter, if the counter changes too rarely, or if readings slow the calls down. The case
    runs almost without pauses from one change of the counter to a change at least `seconds` later. The energy includes
    what the idle device would use.

    read()          returns the joules used so far; None if there is no counter
    burst(first)    runs the case for BURST_S and returns (begin, end, number of calls); `first` is true in the first
                    burst
    usual_s         time of a call in samples, in seconds. During this measurement, calls can take longer, since reading
                    the counter can block calls that allocate memory
    """
    if read() is None:
        return None
    with _watched(read) as readings:
        times, calls, steps = [], [0], []
        # The coordinator checks the deadline, since an implementation may change the clock of its worker.
        last_s = time.perf_counter() + seconds + PATIENCE_S
        while not steps or steps[-1][0] - steps[0][0] < seconds:
            if time.perf_counter() >= last_s:
                return None
            begin, end, made = burst(not times)
            times += [end] if times else [begin, end]
            calls.append(calls[-1] + made)
            steps = [step for step in list(readings) if times[0] <= step[0] <= times[-1]]
    (begin, first), (end, last) = steps[0], steps[-1]
    made = float(np.diff(np.interp([begin, end], times, calls))[0])
    return (last - first) / made if made and end - begin <= SLOWED * usual_s * made else None


@contextlib.contextmanager
def _watched(read):
    """Yield a list to which a thread appends (time, value) whenever the counter changes.

    The time is the middle of the reading, which can take 20 ms.
    """
    steps, done = [], threading.Event()

    def watch():
        before = read()
        while not done.wait(LOOK_S):
            begin, value = time.perf_counter(), read()
            if value is not None and value != before:
                steps.append(((begin + time.perf_counter()) / 2, value))
                before = value

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield steps
    finally:
        done.set()
        thread.join()
