"""Timing of calls on an OpenCL device by the events of the commands that the calls enqueue.

Only events of a profiling queue have times. A launch on a profiling queue takes the host longer than a launch on a
plain queue (17.8 instead of 12.9 us on an H200). So implementations get a plain queue. A profiling queue replaces the
plain queue only while an EventTimer times calls.
"""

import re
from contextlib import contextmanager
from time import perf_counter

from accelbench.backends import UNSEEN, launched

ENQUEUES = re.compile("_?enqueue_")  # functions of PyOpenCL's extension module whose first argument is the queue
WITHOUT_WORK = re.compile("_?enqueue_(marker|barrier|wait_for_events)")


class EventTimer:
    """Timer that adds up the times of a call's kernels, copies and fills, without the gaps between these commands.

    call       the Call to time. If the timer misses commands, it sets call.mark to UNSEEN. The timer misses commands if
               PyOpenCL enqueues none, if some go to other queues, or if `run` holds one of PyOpenCL's functions itself
    work       function: work(n) makes n calls
    queue      the queue that implementations use
    profiling  the profiling queue of the same device that replaces `queue`
    """

    def __init__(self, call, work, *, queue, profiling):
        self._call, self._work, self._queue, self._profiling = call, work, queue, profiling
        (candidates, _), originals = launched(call.run), {id(function) for function in _functions().values()}
        if any(id(candidate) in originals for candidate in candidates):
            call.mark = UNSEEN

    def __call__(self, loops):
        """Return the seconds per call, or None if the timer misses commands."""
        seconds = None if self._call.mark else self._seconds(loops)
        if seconds is None:
            self._call.mark = UNSEEN
        return seconds and seconds / loops

    def _seconds(self, loops):
        """Return the total seconds of all commands of `loops` calls, or None if the timer missed commands.

        Return None, too, if the total is longer than the calls took by the host's clock.
        """
        self._queue.finish()
        begin = perf_counter()
        with redirected(self._queue, self._profiling) as events:
            self._work(loops)
            self._profiling.finish()
        most = perf_counter() - begin
        self._queue.finish()
        if None in events:
            return None
        seconds = sum(event.profile.end - event.profile.start for event in events) * 1e-9
        return seconds if 0 < seconds <= most else None


@contextmanager
def redirected(queue, profiling):
    """Make PyOpenCL enqueue commands in `profiling` instead of `queue`, and wait for `profiling` instead of `queue`.

    Yield a list of the commands' events. The list has None for a command whose time is unknown.
    """
    import pyopencl as cl

    functions, events, replaced = _functions(), [], []
    wrapped = {id(f): _recording(name, f, queue, to=profiling, events=events) for name, f in functions.items()}
    try:
        for module in (cl._cl, cl):
            for name, value in list(vars(module).items()):
                if id(value) in wrapped:
                    replaced.append((module, name, value))
                    setattr(module, name, wrapped[id(value)])
        for name in ("finish", "flush"):
            method = getattr(cl.CommandQueue, name)
            replaced.append((cl.CommandQueue, name, method))
            setattr(cl.CommandQueue, name, lambda self, do=method: do(profiling if self == queue else self))
        yield events
    finally:
        for owner, name, value in replaced:
            setattr(owner, name, value)


def _functions():
    """Return {name: function} of PyOpenCL's functions that enqueue commands."""
    import pyopencl as cl

    return {name: f for name, f in vars(cl._cl).items() if ENQUEUES.match(name) and callable(f)}


def _recording(name, function, queue, *, to, events):
    """Return a replacement of PyOpenCL's `function`, which enqueues commands.

    The replacement redirects commands from `queue` to the queue `to`, and appends their events to `events`.
    """
    import pyopencl as cl

    counts = not WITHOUT_WORK.match(name)

    def enqueue(*arguments, **named):
        given, *rest = arguments or (named.pop("queue", None),)
        if given != queue:
            events.extend([None] if counts else [])
            return function(given, *rest, **named)
        returned = function(to, *rest, **named)
        if counts:
            several = returned if isinstance(returned, tuple) else (returned,)
            events.extend([event for event in several if isinstance(event, cl.Event)] or [None])
        return returned

    return enqueue
