"""A gate that blocks a CUDA stream until the timed calls are queued, to time the device without the host's launches.

If two events enclose launches in a blocked stream, the time between the events is the time of the device's work alone.
A call that waits for the device while the stream is blocked would wait forever. So a timer of the C library opens the
gate after a time limit. Calls that wait for the device are timed without a gate.
"""

import ctypes
import os
import struct
from time import perf_counter

from accelbench.backends import SYNCHRONISES, UNSEEN
from accelbench.backends.cuda_driver import ERROR_NOT_SUPPORTED, DriverError

MOST_CALLS = 512  # Maximum number of calls in a batch: launches block if about 1,022 are already queued (H200)
FEWER = 4  # Factor by which the next batch is smaller if the calls of a batch cannot all be queued
# Time in seconds after which a timer opens the gate: BOUND_S + BOUND_CALLS * host time of the calls, at most MOST_S
BOUND_S, BOUND_CALLS, MOST_S = 0.01, 2.0, 1.0
# A call is marked SYNCHRONISES if the timer opens the gate in TRIES consecutive batches of one call. A single batch is
# enough if the call takes more than LONG_S seconds on the host.
LONG_S = 0.25
TRIES = 2
# Minimum plausible time per call, in seconds, in a batch of at least FEW_CALLS calls. A shorter time means that the
# work is in other streams. Work in other streams is also assumed if the device stays busy after a batch for over
# BESIDE_S seconds and longer than the batch took.
LEAST_S, FEW_CALLS = 2e-7, 16
BESIDE_S = 1e-4
# Number of consecutive batches with work in other streams, after which a call is marked UNSEEN. In a single batch, a
# delay of the host can look like such work.
MISSES = 3
WAIT_UNTIL_AT_LEAST = 0  # CU_STREAM_WAIT_VALUE_GEQ
SIGEV_THREAD, CLOCK_MONOTONIC = 2, 1
NOTICE = struct.Struct("PiiPP32x")  # struct sigevent: value, signal, kind of notice, thread's function and attributes
SETTING = struct.Struct("llll")  # struct itimerspec: interval and first time, each in seconds and nanoseconds
SEMAPHORE_WORDS = 16  # Size of the semaphore's memory in words of 4 bytes, more than a sem_t needs


class StreamGate:
    """A gate that blocks a stream until the host or a timer sets a word of page-locked memory.

    The word is the value of a semaphore. A timer of the C library posts the semaphore in a separate thread. This thread
    does not need the interpreter's lock, which some libraries hold while they wait for the device.

    words  SEMAPHORE_WORDS 32-bit numbers in page-locked memory
    """

    def __init__(self, api, words):
        self._api, self._words = api, words
        words[:] = 0
        self._library = _with_timers()
        post = ctypes.cast(self._library.sem_post, ctypes.c_void_p).value
        notice = NOTICE.pack(words.ctypes.data, 0, SIGEV_THREAD, post, 0)
        self._timer = ctypes.c_void_p()
        if self._library.timer_create(CLOCK_MONOTONIC, notice, ctypes.byref(self._timer)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def close(self, stream, bound_s):
        """Block the stream for at most `bound_s` seconds. Raise DriverError if the driver cannot block streams."""
        self._words[0] = 0
        self._api.cuStreamWaitValue32_v2(stream, self._words.ctypes.data, 1, WAIT_UNTIL_AT_LEAST)
        self._set(bound_s)

    def open(self):
        """Unblock the stream. Return whether the gate was closed until this call; if not, the timer has opened it."""
        self._set(0.0)
        was_closed = not self._words[0]
        self._words[0] = 1
        return was_closed

    def _set(self, seconds):
        self._library.timer_settime(self._timer, 0, SETTING.pack(0, 0, int(seconds), int(seconds % 1 * 1e9)), None)


def _with_timers():
    """Return the C library that has timers. Before glibc 2.34, this library is librt."""
    library = ctypes.CDLL(None, use_errno=True)
    library = library if hasattr(library, "timer_create") else ctypes.CDLL("librt.so.1", use_errno=True)
    library.timer_settime.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    return library


class GatedTimer:
    """Timer of calls on the device. It queues batches of calls between two events while a gate blocks the stream.

    call          the Call to time. If the timer cannot time the call, it sets call.mark. SYNCHRONISES: the call waits
                  for the device, or launches more kernels than the stream can queue. UNSEEN: the driver cannot block
                  streams, or the call's work is in other streams
    work          function: work(n) makes n calls
    gate, stream  a StreamGate, and the handle of the stream to block
    device        object with three methods: record(0) and record(1) put two events into the stream, seconds_between()
                  waits for both events and returns the time between them, and finish() waits for all work of the device
    """

    def __init__(self, call, work, *, gate, stream, device):
        self._call, self._work, self._gate, self._stream, self._device = call, work, gate, stream, device
        self._most, self._in_vain, self._host_s, self._missed = MOST_CALLS, 0, 0.0, 0

    def __call__(self, loops):
        """Return the seconds per call, or None if the calls cannot be timed with the gate.

        If `loops` is 1 and the call waits for the device, return its time, although the gate opened early.
        """
        total, left = 0.0, loops
        while left:
            calls = min(left, self._most)
            try:
                seconds, was_closed = self._batch(calls)
            except DriverError as error:
                if error.code != ERROR_NOT_SUPPORTED:
                    raise
                self._call.mark = UNSEEN
                return None
            if was_closed:
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
            elif self._missed >= MISSES:
                self._call.mark = UNSEEN
                return None
        return total / loops

    def _batch(self, calls):
        """Return (seconds between the two events, whether all calls were queued while the gate was closed)."""
        self._gate.close(self._stream, min(BOUND_S + BOUND_CALLS * calls * self._host_s, MOST_S))
        begin = perf_counter()
        try:
            self._device.record(0)
            self._work(calls)
            self._device.record(1)
        finally:
            was_closed = self._gate.open()
        self._host_s = (perf_counter() - begin) / calls
        seconds = self._device.seconds_between()
        begin = perf_counter()
        self._device.finish()
        beside = perf_counter() - begin > max(BESIDE_S, seconds)
        nothing = seconds == 0.0 or (calls >= FEW_CALLS and seconds < calls * LEAST_S)
        self._missed = self._missed + 1 if beside or nothing else 0
        return seconds, was_closed

    def _opened_early(self, calls):
        if calls > 1:
            self._most = max(1, calls // FEWER)
            return
        self._in_vain += 1
        if self._in_vain == TRIES or self._host_s > LONG_S:
            self._call.mark = SYNCHRONISES
