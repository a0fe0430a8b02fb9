"""What an OpenCL device takes for calls, by the events of the commands that they enqueue.

Events tell times on a profiling queue alone, where a launch costs the host more than on a plain one (12.9 and 17.8 us
on an H200). So implementations have a plain queue, and only while their commands are watched another takes its place.
"""

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from accelbench.backends import UNSEEN, launched

ENQUEUES = re.compile("_?enqueue_")  # functions of PyOpenCL's extension module; the first argument is the queue
WITHOUT_WORK = re.compile("_?enqueue_(marker|barrier|wait_for_events)")


@dataclass
class EnqueuedCommands:
    """What was enqueued: events of the commands, and whether there are others that tell no times."""

    events: list = field(default_factory=list)
    elsewhere: bool = False


class EventTimer:
    """Times calls by the sum of their commands' own times: kernels, copies and fills, not what lies between them.

    call       whose `mark` is UNSEEN where not every command is: none comes through PyOpenCL, some go to other queues,
               or `run` holds PyOpenCL's own functions
    work       work(n) makes n calls
    queue      what implementations were given; `profiling`, a queue of its device that takes its place
    """

    def __init__(self, call, work, *, queue, profiling):
        self._call, self._work, self._queue, self._profiling = call, work, queue, profiling
        (candidates, _), originals = launched(call.run), {id(function) for function in _functions().values()}
        if any(id(candidate) in originals for candidate in candidates):
            call.mark = UNSEEN

    def __call__(self, loops):
        """Seconds per call, or None."""
        seconds = None if self._call.mark else self._seconds(loops)
        if seconds is None:
            self._call.mark = UNSEEN
            return None
        return seconds / loops

    def _seconds(self, loops):
        """Of all commands of so many calls together; None where some are not seen."""
        self._queue.finish()
        begin = perf_counter()
        with redirected(self._queue, self._profiling) as commands:
            self._work(loops)
            self._profiling.finish()
        most = perf_counter() - begin
        self._queue.finish()
        seconds = sum(event.profile.end - event.profile.start for event in commands.events) * 1e-9
        return seconds if 0 < seconds <= most and not commands.elsewhere else None


@contextmanager
def redirected(queue, profiling):
    """While this is open, what PyOpenCL enqueues in `queue` goes to `profiling`, and who waits for the one waits for
    the other: yields what was EnqueuedCommands."""
    import pyopencl as cl

    functions, commands, replaced = _functions(), EnqueuedCommands(), []
    wrapped = {id(f): _watching(name, f, queue, to=profiling, commands=commands) for name, f in functions.items()}
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
        yield commands
    finally:
        for owner, name, value in replaced:
            setattr(owner, name, value)


def _functions():
    """{name: function} of all by which PyOpenCL enqueues."""
    import pyopencl as cl

    return {name: f for name, f in vars(cl._cl).items() if ENQUEUES.match(name) and callable(f)}


def _watching(name, function, queue, *, to, commands):
    """A function in the place of one that enqueues."""
    import pyopencl as cl

    counts = not WITHOUT_WORK.match(name)

    def enqueue(*arguments, **named):
        given, *rest = arguments or (named.pop("queue", None),)
        if given != queue:
            commands.elsewhere |= counts
            return function(given, *rest, **named)
        returned = function(to, *rest, **named)
        if counts:
            told = returned if isinstance(returned, tuple) else (returned,)
            events = [event for event in told if isinstance(event, cl.Event)]
            commands.events += events
            commands.elsewhere |= not events
        return returned

    return enqueue
