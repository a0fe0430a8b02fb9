import numpy as np


def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


# pythran export estimate_float64(int64, uint64)
def estimate_float64(n, seed):
    start, golden, hits = mix(seed), np.uint64(0x9E3779B97F4A7C15), 0
    # omp parallel for reduction(+:hits)
    for i in range(n):
        k = np.uint64(2 * i)
        x = np.float64(mix(start + k * golden) >> np.uint64(11)) * 2.0**-53
        y = np.float64(mix(start + (k + np.uint64(1)) * golden) >> np.uint64(11)) * 2.0**-53
        hits += x * x + y * y < 1
    return 4 * hits / n if n else 0.0


# pythran export estimate_float32(int64, uint64)
def estimate_float32(n, seed):
    start, golden, hits = mix(seed), np.uint64(0x9E3779B97F4A7C15), 0
    # omp parallel for reduction(+:hits)
    for i in range(n):
        bits = mix(start + np.uint64(i) * golden)
        x = np.float32(np.int32(bits >> np.uint64(40))) * np.float32(2.0**-24)
        y = np.float32(np.int32(np.uint32(bits) >> np.uint32(8))) * np.float32(2.0**-24)
        hits += x * x + y * y < np.float32(1)
    return 4 * hits / n if n else 0.0
