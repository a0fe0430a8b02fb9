"""Warp kernel: threads add up strided elements, then atomics add up the threads' sums; a CPU uses one thread."""

import warp as wp

THREADS = 1 << 18  # number of threads on a GPU


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def add_up(x: wp.array(dtype=real), threads: int, total: wp.array(dtype=real)):
        mine = real(0.0)
        for i in range(wp.tid(), x.shape[0], threads):
            mine += x[i]
        wp.atomic_add(total, 0, mine)

    total, threads = wp.empty(1, real), min(case.size, THREADS if case.stream else 1)

    def run(x):
        total.zero_()
        wp.launch(add_up, threads, inputs=[x, threads], outputs=[total])
        return total

    return run
