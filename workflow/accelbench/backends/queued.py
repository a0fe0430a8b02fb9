"""Common code of CUDA and OpenCL devices, which have a queue: timers, LaunchFacts, and the check for a lost device."""

import timeit
from dataclasses import replace
from time import perf_counter

import numpy as np

from accelbench.backends import UNSEEN, OpenDevice, launched

LAUNCHES_IN_FLIGHT = 64  # Maximum number of calls that `launch` times together: longer queues block the host
SMALLEST_FLUSH = 1 << 26  # Minimum size of the memory that flush_cache overwrites, in bytes


class QueuedSession(OpenDevice):
    """An open device with a stream or an in-order queue.

    A derived Session defines, in addition to the names in the docstring of accelbench.backends,

        finish()                waits for all work of the device; with OpenCL, for all work of the session's queue
        seconds_of(work, loops) returns the seconds from the beginning of work(loops) to its end on the device
        device_timer(call, work)
                                returns a timer, function(loops) -> seconds per call on the device. These seconds do not
                                include launches by the host. If the timer cannot measure a call, the timer returns None
                                and sets call.mark. If the device consists of the host's cores, which also make the
                                launches, device_timer returns None
        scratch(nbytes)         allocates device memory and returns it
        clear(scratch)          overwrites the memory that scratch(nbytes) returned, without waiting
        attributes(kernel)      returns the LaunchFacts (registers and memory) of one of the library's kernels, without
                                the occupancy. Returns None if the object is no kernel
        occupancy(kernel, facts, *, threads, shared_bytes)  returns the occupancy, or None
        DEVICE_ERRORS           exceptions of `finish` that mean that the device is lost
    """

    ON_HOST = False
    _flush = None

    def synchronise(self):
        self.finish()

    def timers(self, call):
        """Return {kind: timer}. All timers wait until the device has finished the calls, and then return.

        `compute` is the time on the device. For `throughput`, the host launches calls as fast as it can. The time
        `call` includes the wait for the end of each call. The time `launch` includes no wait. With `lead`, `throughput`
        begins with an untimed call. A CUDA device is then busy while the host launches the timed calls. With OpenCL,
        the host waits for the untimed call before it launches the timed calls.
        """
        call.namespace.update(_finish=self.finish)
        plain = timeit.Timer(call.statement, globals=call.namespace)
        waiting = timeit.Timer(f"{call.statement}; _finish()", globals=call.namespace)

        def throughput(loops, lead=False):
            if lead:
                plain.timeit(1)
            return self.seconds_of(plain.timeit, loops) / loops

        def compute(loops, lead=False):
            seconds = timer(loops) if call.mark is None else None
            if call.mark == UNSEEN:
                return self.seconds_until_done(plain.timeit, loops) / loops
            return throughput(loops, lead) if seconds is None else seconds

        def launch(loops):
            loops = min(loops, LAUNCHES_IN_FLIGHT)
            seconds = plain.timeit(loops) / loops
            self.finish()
            return seconds

        waited_for = {"call": lambda loops: waiting.timeit(loops) / loops, "launch": launch}
        timer = self.device_timer(call, plain.timeit)
        if timer is None:
            return {"compute": throughput, **waited_for}
        return {"compute": compute, "throughput": throughput, **waited_for}

    def seconds_until_done(self, work, loops):
        """Return the seconds on the host's clock from the beginning of work(loops) until `finish` returns."""
        self.finish()
        begin = perf_counter()
        work(loops)
        self.finish()
        return perf_counter() - begin

    def flush_cache(self):
        """Overwrite at least four times as much memory as the device's cache holds.

        The device overwrites the memory before it runs the next launch. The host does not wait.
        """
        if self._flush is None:
            self._flush = self.scratch(max(4 * self.cache_bytes, SMALLEST_FLUSH))
        self.clear(self._flush)

    def launch_facts(self, call):
        """Return the LaunchFacts of the kernel that `run` launches, or None.

        The LaunchFacts include the occupancy if the block size is known.
        """
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

    def lost(self):
        try:
            self.finish()
        except self.DEVICE_ERRORS as error:
            return str(error)
        return None
