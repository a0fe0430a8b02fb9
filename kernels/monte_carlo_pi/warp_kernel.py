"""Warp kernels: one seeds a generator for each point and counts hits by atomics; a second one computes pi."""

import warp as wp

ALGORITHM = "library"

THREADS = 1 << 18


@wp.func
def inside_float32(seed: int, i: int):
    state = wp.rand_init(seed, i)
    x, y = wp.randf(state), wp.randf(state)
    return int(x * x + y * y < 1.0)


@wp.func
def in_double(high: wp.uint32, low: wp.uint32):
    upper, lower = wp.float64(high >> wp.uint32(5)), wp.float64(low >> wp.uint32(6))
    return (upper * wp.float64(67108864.0) + lower) / wp.float64(9007199254740992.0)  # 2**26, 2**53


@wp.func
def inside_float64(seed: int, i: int):
    state = wp.rand_init(seed, i)
    x, y = in_double(wp.randu(state), wp.randu(state)), in_double(wp.randu(state), wp.randu(state))
    return int(x * x + y * y < wp.float64(1.0))


@wp.kernel
def estimate(n: int, hits: wp.array(dtype=int), pi: wp.array(dtype=wp.float64)):
    pi[0] = wp.float64(4.0) * wp.float64(hits[0]) / wp.float64(wp.max(n, 1))
    hits[0] = 0


def prepare(case):
    inside = {"float64": inside_float64, "float32": inside_float32}[case.dtype]

    @wp.kernel(module="unique")
    def count(n: int, seed: int, threads: int, hits: wp.array(dtype=int)):
        mine = wp.int32(0)
        # idea: a thread counts the hits of points with a large stride; atomics add up the counts
        for i in range(wp.tid(), n, threads):
            mine += inside(seed, i)
        wp.atomic_add(hits, 0, mine)
        # end of idea

    hits, pi = wp.zeros(1, int), wp.empty(1, wp.float64)

    def run(n, seed):
        threads = min(int(n), THREADS)
        wp.launch(count, threads, inputs=[int(n), int(seed) & 0x7FFFFFFF, threads, hits])
        wp.launch(estimate, 1, inputs=[int(n), hits, pi])
        return pi

    return run
