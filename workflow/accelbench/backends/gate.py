"""A CUDA stream held back until what is timed lies queued in it: what the device takes, apart from how fast the host
launches.

Events around launches that a stream has yet to begin enclose the device's work alone. A call that waits for the device
while its stream is held would wait for ever, so a timer opens the gate after a bound, and what it was opened for in
vain is timed as before.
"""

import ctypes
import os
from time import perf_counter

from accelbench.backends import SYNCHRONISES, UNSEEN
from accelbench.backends.cuda_driver import ERROR_NOT_SUPPORTED, DriverError

MOST_CALLS = 512  # in a batch: a stream takes about 1,022 launches (H200), and then makes the host wait
FEWER = 4  # times as few calls in a batch, where as many could not be queued
BOUND_S, BOUND_CALLS, MOST_S = 0.01, 2.0, 1.0  # a gate opens by itself: this long, so many times the calls' time; most
LONG_S = 0.25  # a call that the host takes so long for is not tried twice
TRIES = 2  # a call whose gate opened by itself so many times in a row waits for the device
# No kernel follows another sooner, so events that say so saw none of these calls; nor do they, where the device is busy
# for so much longer than they say, with what is in no stream that the gate holds.
LEAST_S, FEW_CALLS = 2e-7, 16
BESIDE_S = 1e-4
MISSES = 3  # in a row: a host that is late once is not the device's doing
WAIT_UNTIL_AT_LEAST = 0  # CU_STREAM_WAIT_VALUE_GEQ
SIGEV_THREAD, CLOCK_MONOTONIC = 2, 1
SEMAPHORE_WORDS = 16  # of 4 bytes, more than a sem_t has


class _Notice(ctypes.Structure):
    """struct sigevent, 64 bytes, of a timer that calls a function in a thread of its own."""

    _fields_ = (
        ("argument", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("how", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("rest", ctypes.c_byte * 32),
    )


class _Setting(ctypes.Structure):
    """struct itimerspec."""

    _fields_ = tuple((name, ctypes.c_long) for name in ("every_s", "every_ns", "seconds", "nanoseconds"))


class StreamGate:
    """A word of page-locked memory that a stream waits for: until the host opens it, or a bound is over.

    The word is a semaphore's value, for that the C library's own timer can raise, in a thread that no interpreter's
    lock stops: some libraries keep that lock while they wait for the device.

    words  SEMAPHORE_WORDS 32-bit numbers in page-locked memory
    """

    def __init__(self, api, words):
        self._api, self._words = api, words
        words[:] = 0
        self._library = _with_timers()
        address = ctypes.c_void_p(words.ctypes.data)
        post = ctypes.cast(self._library.sem_post, ctypes.c_void_p)
        notice = _Notice(argument=address, how=SIGEV_THREAD, function=post)
        self._timer = ctypes.c_void_p()
        if self._library.timer_create(CLOCK_MONOTONIC, ctypes.byref(notice), ctypes.byref(self._timer)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def close(self, stream, bound_s):
        """Have the stream wait from here on, for `bound_s` seconds at most; DriverError where that cannot be."""
        self._words[0] = 0
        self._api.cuStreamWaitValue32_v2(stream, self._words.ctypes.data, 1, WAIT_UNTIL_AT_LEAST)
        self._set(bound_s)

    def open(self):
        """Let the stream go on; whether nothing else had let it go before."""
        self._set(0.0)
        held = not self._words[0]
        self._words[0] = 1
        return held

    def _set(self, seconds):
        setting = _Setting(seconds=int(seconds), nanoseconds=int(seconds % 1 * 1e9))
        self._library.timer_settime(self._timer, 0, ctypes.byref(setting), None)


def _with_timers():
    """The C library; before version 2.34 of GNU's, timers were another."""
    library = ctypes.CDLL(None, use_errno=True)
    library = library if hasattr(library, "timer_create") else ctypes.CDLL("librt.so.1", use_errno=True)
    library.timer_settime.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    return library


class GatedTimer:
    """Times calls by what the device takes for them: in batches behind a closed gate, between two events of a stream.

    call         whose `mark` says why where that cannot be: it waits for the device, or asks more of it than a stream
                 holds (SYNCHRONISES); the driver holds no streams, or what the call enqueues lies in none that is held
                 (UNSEEN)
    work         work(n) makes n calls
    gate, stream  the stream's StreamGate and its handle
    device       whose record(0) and record(1) put a pair of events into the stream, seconds_between() being what is
                 between them, once they have happened; finish() waits for all that the device was asked to do
    """

    def __init__(self, call, work, *, gate, stream, device):
        self._call, self._work, self._gate, self._stream, self._device = call, work, gate, stream, device
        self._most, self._in_vain, self._host_s, self._missed = MOST_CALLS, 0, 0.0, 0

    def __call__(self, loops):
        """Seconds per call, or None where they are to be had as before only."""
        total, left = 0.0, loops
        while left:
            calls = min(left, self._most)
            try:
                seconds, held = self._batch(calls)
            except DriverError as error:
                if error.code != ERROR_NOT_SUPPORTED:
                    raise
                self._call.mark = UNSEEN
                return None
            if held:
                self._in_vain = 0
            else:
                self._opened_early(calls)
                if self._call.mark is None:
                    continue
                if loops > 1:
                    return None
            if self._missed == 0:
                total += seconds
                left -= calls
            elif self._missed == MISSES:
                self._call.mark = UNSEEN
                return None
        return total / loops

    def _batch(self, calls):
        """(seconds between the events around so many calls, whether they were all queued while the gate was closed)."""
        bound_s = min(BOUND_S + BOUND_CALLS * calls * self._host_s, MOST_S)
        self._gate.close(self._stream, bound_s)
        begin = perf_counter()
        try:
            self._device.record(0)
            self._work(calls)
            self._device.record(1)
        finally:
            held = self._gate.open()
        self._host_s = (perf_counter() - begin) / calls
        seconds = self._device.seconds_between()
        begin = perf_counter()
        self._device.finish()
        beside = perf_counter() - begin > max(BESIDE_S, seconds)
        nothing = seconds == 0.0 or (calls >= FEW_CALLS and seconds < calls * LEAST_S)
        self._missed = self._missed + 1 if beside or nothing else 0
        return seconds, held

    def _opened_early(self, calls):
        if calls > 1:
            self._most = max(1, calls // FEWER)
            return
        self._in_vain += 1
        if self._in_vain == TRIES or self._host_s > LONG_S:
            self._call.mark = SYNCHRONISES
