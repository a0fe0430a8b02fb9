"""What devices with a queue share, those of CUDA and of OpenCL: how calls are timed, what kernels and errors tell."""

import timeit
from dataclasses import replace
from time import perf_counter

import numpy as np

from accelbench.backends import UNSEEN, OpenDevice, launched

LAUNCHES_IN_FLIGHT = 64  # unsynchronised launches timed together: beyond some depth queues block the host
SMALLEST_FLUSH = 1 << 26  # bytes


class QueuedSession(OpenDevice):
    """An open device whose library gives it work through a stream or an in-order queue.

    A Session beneath it has, beside what the contract asks for,

        finish()                waits for all that the device was asked to do
        seconds_of(work, loops) from the beginning of work(loops) to its end on the device, as fast as the host launches
        apart(call, work)       function(loops) -> seconds per call that the device takes for work(loops), apart from
                                what the host takes to launch it; that returns None where call.mark says why not. None
                                where the device's cores are the host's, which launching takes, too
        scratch(nbytes)         device memory that nobody reads; clear(scratch) overwrites it without waiting
        attributes(kernel)      LaunchFacts of the library's kernel object, no occupancy; None of any other object
        occupancy(kernel, facts, *, threads, shared_bytes)  of a block of so many threads, or None
        REASONS                 ((pattern, outcome, reason), ...) of explain; "{}" in a reason are the error's words
        DEVICE_ERRORS           exceptions of finish after which the device is lost
    """

    ON_HOST = False
    _flush = None

    def synchronise(self):
        self.finish()

    def timers(self, call):
        """`compute` as the device tells it, `throughput` of calls as fast as the host makes them, `call` with and
        `launch` without waiting for each call.

        With `lead`, an untimed call goes ahead of `throughput`: while the device is busy with it, the host is already
        launching what is timed. Waiting is for all that the device was asked to do: nothing escapes.
        """
        finish = self.finish
        plain = timeit.Timer(call.statement, globals=call.namespace)
        waiting = timeit.Timer(f"{call.statement}; finish()", globals={**call.namespace, "finish": finish})

        def throughput(loops, lead=False):
            if lead:
                plain.timeit(1)
            return self.seconds_of(plain.timeit, loops) / loops

        def compute(loops, lead=False):
            seconds = apart(loops) if call.mark is None else None
            if call.mark == UNSEEN:
                return self.seconds_until_done(plain.timeit, loops) / loops
            return throughput(loops, lead) if seconds is None else seconds

        def launch(loops):
            loops = min(loops, LAUNCHES_IN_FLIGHT)
            seconds = plain.timeit(loops) / loops
            finish()
            return seconds

        waited_for = {"call": lambda loops: waiting.timeit(loops) / loops, "launch": launch}
        apart = self.apart(call, plain.timeit)
        if apart is None:
            return {"compute": throughput, **waited_for}
        return {"compute": compute, "throughput": throughput, **waited_for}

    def seconds_until_done(self, work, loops):
        """By the host's clock, from work(loops) until the device has done all it was asked to do, whatever queue that
        lies in."""
        self.finish()
        begin = perf_counter()
        work(loops)
        self.finish()
        return perf_counter() - begin

    def flush_cache(self):
        """Overwrite four times as much memory as the device's cache holds.

        Nothing waits for it: it precedes the next launch.
        """
        if self._flush is None:
            self._flush = self.scratch(max(4 * self.cache_bytes, SMALLEST_FLUSH))
        self.clear(self._flush)

    def launch_facts(self, call):
        """What is known of the kernel that `run` launches, with the case's block size; None where it names none."""
        candidates, shared_bytes = launched(call.run)
        for kernel in candidates:
            if facts := self.attributes(kernel):
                threads = int(np.prod(call.parameters.get("block_size", 0)))
                if 0 < threads <= facts.max_block_size:
                    occupancy = self.occupancy(kernel, facts, threads=threads, shared_bytes=shared_bytes)
                    return replace(facts, occupancy=occupancy)
                return facts
        return None

    def occupancy(self, kernel, facts, *, threads, shared_bytes):
        return None

    def explain(self, error):
        words = str(error)
        for pattern, outcome, reason in self.REASONS:
            if pattern.search(words):
                return outcome, reason.format(words)
        return None

    def lost(self):
        try:
            self.finish()
        except self.DEVICE_ERRORS as error:
            return str(error)
        return None
