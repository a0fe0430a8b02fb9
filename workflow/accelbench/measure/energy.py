"""The energy of a call, told by the counter of the GPU that it runs on.

The coordinator reads the counter, while a worker runs the case. A thread beside the case could not: in a loop of short
launches it hardly ever gets the interpreter's lock, and sees the counter's steps late or not at all.
"""

import contextlib
import math
import threading
import time

import numpy as np

BURST_S = 0.05  # that a worker runs its case before it reports, against which asking it again takes no time
LOOK_S = 0.001  # between two looks at the counter, which moves every 20 to 100 ms
SLOWED = 2.0  # times as long as in its samples: a call that takes longer meanwhile is not what was timed
PATIENCE_S = 1.0  # a counter that has not moved for so long does not serve


def per_call(read, burst, seconds, *, usual_s=math.inf):
    """Joules per call, or None where nobody counts them, or calls are slowed down meanwhile: the case runs without
    pause from one step of the counter to another at least `seconds` later. What the device needs when idle is included.

    read()          joules used so far, or None
    burst(first)    has the case run for BURST_S: (begin, end, calls)
    usual_s         what a call takes in samples: reading the counter can keep waiting what asks the driver for memory
    """
    if read() is None:
        return None
    with _watched(read) as seen:
        times, calls, steps = [], [0], []
        last_s = time.perf_counter() + seconds + PATIENCE_S  # by our own clock: the worker's may stand still
        while not steps or steps[-1][0] - steps[0][0] < seconds:
            if time.perf_counter() >= last_s:
                return None
            begin, end, made = burst(not times)
            times += [end] if times else [begin, end]
            calls.append(calls[-1] + made)
            steps = [step for step in list(seen) if times[0] <= step[0] <= times[-1]]
    (begin, first), (end, last) = steps[0], steps[-1]
    made = float(np.diff(np.interp([begin, end], times, calls))[0])
    return (last - first) / made if made and end - begin <= SLOWED * usual_s * made else None


@contextlib.contextmanager
def _watched(read):
    """The steps of a counter while this lasts, a list that grows: (when, value). A thread of its own reads it, for one
    reading can take 20 ms."""
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
