import numpy as np


def wide(high, low):  # Pythran cannot read literals above 2**63
    return np.uint64(high) << np.uint64(32) | np.uint64(low)


def mix(z):
    z = (z ^ (z >> np.uint64(30))) * wide(0xBF58476D, 0x1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * wide(0x94D049BB, 0x133111EB)
    return z ^ (z >> np.uint64(31))


# pythran export estimate_float64(int64, int64)
def estimate_float64(n, seed):
    start, golden, hits = mix(np.uint64(seed)), wide(0x9E3779B9, 0x7F4A7C15), 0
    # idea: a point is a hash of its index
    # omp parallel for reduction(+:hits)
    for i in range(n):
        k = np.uint64(2 * i)
        x = np.float64(mix(start + k * golden) >> np.uint64(11)) * 2.0**-53
        y = np.float64(mix(start + (k + np.uint64(1)) * golden) >> np.uint64(11)) * 2.0**-53
        hits += x * x + y * y < 1
    # end of idea
    return 4 * hits / n if n else 0.0


# pythran export estimate_float32(int64, int64)
def estimate_float32(n, seed):
    start, golden, hits = mix(np.uint64(seed)), wide(0x9E3779B9, 0x7F4A7C15), 0
    # omp parallel for reduction(+:hits)
    for i in range(n):
        bits = mix(start + np.uint64(i) * golden)
        x = np.float32(np.int32(bits >> np.uint64(40))) * np.float32(2.0**-24)
        y = np.float32(np.int32(np.uint32(bits) >> np.uint32(8))) * np.float32(2.0**-24)
        hits += x * x + y * y < np.float32(1)
    return 4 * hits / n if n else 0.0
