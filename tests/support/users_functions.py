"""Functions as typical users write them, with their arguments. No function uses accelbench."""

import functools
import math

import numba
import numpy as np
from scipy.special import erf

SCALE = 2.5
COUNT = 0


def smooth_in_place(u, steps):
    """Change the argument and return nothing."""
    for _ in range(steps):
        u[1:-1] = 0.25 * (u[:-2] + 2.0 * u[1:-1] + u[2:])


def from_dictionary(problem):
    """Take a dictionary and return one."""
    a, b = problem["a"], problem["b"]
    result = {"sum": (a + b).tolist(), "largest": float(np.max(a * b))}
    return result


def two_outputs(x, y):
    return np.sqrt(x * x + y * y), np.arctan2(y, x)


def count_primes(limit):
    sieve = np.ones(limit.shape[0], dtype=np.bool_)
    sieve[:2] = False
    for i in range(2, int(math.sqrt(limit.shape[0])) + 1):
        if sieve[i]:
            sieve[i * i :: i] = False
    return sieve


def clip_by_mask(image):
    out = image.copy()
    out[image > 0.8] = 0.8
    out[image < 0.2] = 0.2
    return out


def convolve(image, weights):
    rows, columns = image.shape
    size = weights.shape[0]
    out = np.zeros((rows - size + 1, columns - size + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for k in range(size):
                for m in range(size):
                    total += image[i + k, j + m] * weights[k, m]
            out[i, j] = total
    return out


def leapfrog(position, velocity, dt, steps):
    position, velocity = position.copy(), velocity.copy()
    for _ in range(steps):
        velocity -= 0.5 * dt * position
        position += dt * velocity
        velocity -= 0.5 * dt * position
    return position, velocity


def running_mean(values):
    """Take a list and return one."""
    total, out = 0.0, np.zeros(len(values))
    for i in range(len(values)):
        total += values[i]
        out[i] = total / (i + 1)
    return out.tolist()


def horner(x, coefficients):
    result = np.zeros_like(x)
    for i in range(coefficients.shape[0]):
        result = result * x + coefficients[i]
    return SCALE * result


def _distance(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def nearest(points, others):
    """Use a helper and return integers."""
    best = np.zeros(points.shape[0], dtype=np.int64)
    for i in range(points.shape[0]):
        smallest = np.inf
        for j in range(others.shape[0]):
            distance = _distance(points[i], others[j])
            if distance < smallest:
                smallest, best[i] = distance, j
    return best


def gauss_cdf(x, mean, sigma):
    return 0.5 * (1.0 + erf((x - mean) / (sigma * math.sqrt(2.0))))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def recursive(x, depth):
    """Call a helper that calls itself."""
    return x * fibonacci(depth)


def bincount2(labels, weights, bins):
    out = np.zeros(bins)
    for i in range(labels.size):
        out[labels[i]] += weights[i]
    return out


def collatz(start):
    steps = np.zeros(start.size, dtype=np.int64)
    for i in range(start.size):
        value = start[i]
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps[i] += 1
    return steps


def normalised(data, kind):
    """Branch on a string."""
    if kind == "zscore":
        return (data - data.mean()) / data.std()
    return (data - data.min()) / (data.max() - data.min())


def energy(x):
    return np.sum(0.5 * x * x + np.cos(x))


class Model:
    """A class with two methods that use no state and one that uses `self.scale`."""

    scale = 2.0

    def energy(self, x):
        return energy(x)

    def scaled(self, x):
        return self.scale * x

    @staticmethod
    def doubled(x):
        return 2.0 * x


def complex_phase(z):
    return np.abs(z) * np.exp(1j * np.angle(z))


def shapes_from_tuple(x, shape):
    return x.reshape(shape).sum(axis=0)


def prefix_sums(x):
    """Use a slice whose length is a loop's counter."""
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = np.sum(x[:i])
    return out


def logistic(x, steps):
    """Compute a chaotic sequence, which cannot be checked."""
    for _ in range(steps):
        x = 3.9 * x * (1.0 - x)
    return x


def noisy(x):
    """Add random numbers."""
    return x + np.random.random(x.shape)


def counted(x):
    """Write a global variable."""
    global COUNT
    COUNT += 1
    return x + COUNT


def blended(x, y, *, alpha=SCALE, offset):
    """Take parameters by keyword, one with a default."""
    return alpha * x + (1.0 - alpha) * y + offset


@functools.lru_cache
def _weights(n):
    return np.linspace(0.0, 1.0, n)


@numba.njit
def _squared(x):
    return x * x


def weighted(x):
    """Use helpers that are cached and compiled."""
    return _weights(x.shape[0]) * _squared(x)


def _logged(function):
    @functools.wraps(function)
    def logged(*given):
        return function(*given) + 1.0

    return logged


@_logged
def decorated(x):
    return 2.0 * x


def plus(step):
    """Return a function with a closure."""

    def add(x):
        return x + step

    return add


plus_one = plus(1.0)
double = lambda x: 2.0 * x  # noqa: E731
every = np.vectorize(double)


def starred(x, *rest):
    return x + sum(rest)


def yielding(x):
    yield x


async def waiting(x):
    return x


def reading(x):
    return x * len(open(__file__).read())


def uses_object(x):
    return every(x)


def returns_text(x):
    return "text"


def returns_set(x):
    return {1.0}


def returns_nothing(x):
    return None


def takes_any(x, other):
    return 2.0 * x


def fails(x):
    return x[0, 0]


def leaves_python(x):
    raise SystemExit(3)


RIGHT = {  # function: the text of --args
    "smooth_in_place": "rng.random(n), 5",
    "from_dictionary": "{'a': rng.random(n), 'b': rng.random(n)}",
    "two_outputs": "rng.random(n), rng.random(n)",
    "count_primes": "np.zeros(n)",
    "clip_by_mask": "rng.random((n, n))",
    "convolve": "rng.random((n, n)), rng.random((3, 3))",
    "leapfrog": "rng.random((n, 3)), rng.random((n, 3)), 0.01, 20",
    "running_mean": "rng.random(n).tolist()",
    "horner": "rng.random(n), rng.random(7)",
    "nearest": "rng.random((n, 2)), rng.random((n, 2))",
    "gauss_cdf": "rng.random(n), 0.5, 0.25",
    "softmax": "rng.random((n, 8))",
    "recursive": "rng.random(n), 12",
    "bincount2": "rng.integers(0, 10, n), rng.random(n), 10",
    "collatz": "rng.integers(1, 1000, n)",
    "normalised": "rng.random(n), 'zscore'",
    "energy": "rng.random(n)",
    "complex_phase": "rng.random(n) + 1j * rng.random(n)",
    "prefix_sums": "rng.random(n)",
    "shapes_from_tuple": "rng.random(4 * n), (n, 4)",
}
REFUSED = {  # function: (the text of --args, the message, the text of the line that the message names)
    "logistic": ("rng.random(n), 200", "is chaotic, so no check is possible", "def logistic(x, steps):"),
    "noisy": ("rng.random(n)", "is random", "def noisy(x):"),
    "counted": ("rng.random(n)", "writes the global COUNT. Return it instead", "    global COUNT"),
    "Model.scaled": ("rng.random(n)", "uses self. Pass the needed attributes", "        return self.scale * x"),
    "decorated": ("rng.random(n)", "decorated is decorated. Name the function", "@_logged"),
    "plus_one": ("rng.random(n)", "add uses step of an enclosing function. Pass it as", "    def add(x):"),
    "double": ("rng.random(n)", "is a lambda. Write it with def", "double = lambda x: 2.0 * x  # noqa: E731"),
    "starred": ("rng.random(n)", r"takes \*args or \*\*kwargs. Name its parameters", "def starred(x, *rest):"),
    "yielding": ("rng.random(n)", r"is a generator \(yield\). Return an array instead", "def yielding(x):"),
    "waiting": ("rng.random(n)", "is asynchronous. Write it without async", "async def waiting(x):"),
    "reading": ("rng.random(n)", "calls open.*. Make this call outside", "    return x * len(open(__file__).read())"),
    "uses_object": ("rng.random(n)", "uses the global 'every' of type vectorize. Pass it", "    return every(x)"),
    "returns_text": ("rng.random(n)", "returns values of type str. Return arrays", "def returns_text(x):"),
    "returns_set": ("rng.random(n)", "returns values of type set. Return arrays", "def returns_set(x):"),
    "returns_nothing": ("rng.random(n)", "returns nothing and changes no argument", "def returns_nothing(x):"),
    "fails": ("rng.random(n)", "the function fails.* IndexError: .* Correct the function", "    return x[0, 0]"),
    "leaves_python": (
        "rng.random(n)",
        "the function fails.* SystemExit: 3. Correct the function",
        "    raise SystemExit(3)",
    ),
    "takes_any": ("rng.random(n), np.sin", "gets other of type ufunc. Pass arrays", "def takes_any(x, other):"),
    "fibonacci": ("7", "gets no array and no float. Pass the data", "def fibonacci(n):"),
}
