"""Run an implementation in Numba's CUDA simulator, in a process in which the simulator is switched on."""

import warnings
from functools import wraps
from pathlib import Path

import numpy as np

from accelbench.backends import host
from accelbench.kernels import catalog

# {dimensions of a block: pairs (size, threads per block)}: no element, one element, one thread per block, and primes
# for which part of the last block is idle
PROBLEMS = {
    1: ((0, 4), (1, 33), (11, 1), (19, 8)),
    2: ((0, (4, 4)), (1, (4, 4)), (2, (5, 3)), (11, (8, 2)), (11, (5, 3))),
}
LARGEST_OPTION = 33  # maximum value of an option, as the simulator is slow


def _as_the_driver(copy):
    """Wrap a copying method of the simulator's arrays so that the method behaves like the CUDA driver.

    The wrapped method copies no empty array. If it should copy into a read-only array of the host, it compares instead.
    """

    @wraps(copy)
    def copied(self, array=None, stream=0):
        if array is None or (array.size and (array.flags.writeable or "device" in copy.__name__)):
            return copy(self, array, stream)
        assert np.array_equal(self._ary, array), "an input was changed"
        return array

    return copied


class Session(host.Session):
    """Session of Numba's CUDA backend that runs in the simulator."""

    ON_HOST = False

    def __init__(self, backend, device):
        # Imported lazily: users of this module may need Numba without its simulator.
        from numba import cuda
        from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

        assert cuda.config.ENABLE_CUDASIM
        super().__init__(backend, device)
        self._cuda, self.stream = cuda, cuda.stream()
        for copy in (FakeCUDAArray.copy_to_host, FakeCUDAArray.copy_to_device):
            setattr(FakeCUDAArray, copy.__name__, _as_the_driver(copy))

    def empty(self, shape, dtype):
        return self._cuda.to_device(np.empty(shape, dtype))

    def poison(self, array):
        poison = np.empty(array.shape, array.dtype)
        super().poison(poison)
        self.copy_in(array, poison)

    def copy_in(self, array, host):
        array[...] = host

    def copy_out(self, value, into=None):
        return super().copy_out(value.copy_to_host() if hasattr(value, "copy_to_host") else value, into)

    def intact(self, array):
        return True  # the simulator checks indices


def simulate(path, name):
    """Run the implementation `name` of the kernel in the folder `path` on all PROBLEMS in the kernel's first dtype.

    In the other dtypes, run only the last problem. Return the number of solved problems, without unsupported problems.
    Raise AssertionError if a result is wrong.
    """
    from run_implementation import Runner  # avoids a circular import

    warnings.simplefilter("ignore")
    folder = catalog.load(path)
    run = Runner(folder, Path())  # nothing is built
    options = {option: min(value, LARGEST_OPTION) for option, value in folder.spec.options.items()}
    solved = 0
    problems = PROBLEMS[folder.spec.block_dimensions]
    for dtype in folder.spec.dtypes:
        for size, block in problems if dtype == folder.spec.dtypes[0] else problems[-1:]:
            inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options=options)
            try:
                results = run(name, dtype, inputs, block, size, options=options)
            except NotImplementedError:
                continue
            expected = folder.expected(size, dtype, options=options, inputs=inputs)
            bounds = folder.tolerance(size, dtype, options=options, inputs=inputs, expected=expected)
            for found, right, bound in zip(results, expected, bounds, strict=True):
                error = np.abs(found - np.asarray(right, np.result_type(right, np.float64)))
                assert (error <= bound).all(), (dtype, size, block, float(error.max()))
            solved += 1
    return solved
