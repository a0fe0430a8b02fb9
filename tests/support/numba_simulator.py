"""Runs an implementation in Numba's CUDA simulator, in a process that was started with it switched on."""

import warnings

import numpy as np

from accelbench import discovery
from accelbench.kernels import catalog
from accelbench.worker.case import KernelCase

# (size, threads per block): nothing, one element, blocks of one thread, primes that leave some of the last block idle
PROBLEMS = {
    1: ((0, 4), (1, 33), (11, 1), (19, 8)),
    2: ((0, (4, 4)), (1, (4, 4)), (2, (5, 3)), (11, (8, 2)), (11, (5, 3))),
}
# of kernels that take powers of two alone, or very many launches
OF_KERNEL = {
    "conjugate_gradient": ((0, 4), (1, 3), (3, 2)),
    "fft": ((2, 4), (4, 1), (8, 3), (32, 4), (64, 33)),
}
LARGEST_OPTION = 33  # the simulator is slow
TOGETHER = 4  # of a solver's steps, so that it looks more than once


def simulate(path, name):
    """Run the implementation `name` of the kernel in the folder `path`: all its problems in its first dtype, the last
    of them in every other.

    Returns how many of them it solved, which leaves out what it does not support; AssertionError where it is wrong.
    """
    from numba import cuda  # not at the top: whoever imports this module may want Numba without its simulator

    assert cuda.config.ENABLE_CUDASIM
    warnings.simplefilter("ignore")
    folder = catalog.load(path)
    implementation = folder.implementations[name]
    module = discovery.import_file(implementation.path)
    if hasattr(module, "TOGETHER"):
        module.TOGETHER = TOGETHER
    options = {option: min(value, LARGEST_OPTION) for option, value in folder.spec.options.items()}
    place = cuda.to_device if folder.spec.location == "device" else np.asarray
    solved = 0
    problems = OF_KERNEL.get(folder.name, PROBLEMS[folder.spec.block_dimensions])
    for dtype in folder.spec.dtypes:
        for size, block in problems if dtype == folder.spec.dtypes[0] else problems[-1:]:
            inputs = folder.inputs(size, dtype, np.random.default_rng(size), options)
            swept = implementation.parameters.items()
            parameters = {key: block if values is None else values[0] for key, values in swept}
            case = KernelCase(size=size, dtype=dtype, options=options, stream=cuda.stream(), **parameters)
            try:
                results = _results(folder, module, case, inputs, parameters, place)
            except NotImplementedError:
                continue
            expected = folder.expected(size, dtype, options, inputs)
            bounds = folder.tolerance(size, dtype, options, inputs, expected)
            for found, right, bound in zip(results, expected, bounds, strict=True):
                error = np.abs(found - np.asarray(right, np.result_type(right, np.float64)))
                assert (error <= bound).all(), (dtype, size, block, float(error.max()))
            solved += 1
    return solved


def _results(folder, module, case, inputs, parameters, place):
    """What the implementation computes of the inputs, as arrays of the host."""
    declared = folder.outputs(case.size, case.dtype, case.options)
    outputs = [output for output in declared if output.shape != ()]
    given = {key: place(value) if np.ndim(value) else value for key, value in inputs.items()}
    filled = [
        given[output.name] if output.inout else place(np.full(output.shape, 255, output.dtype)) for output in outputs
    ]
    fresh = [array for array, output in zip(filled, outputs, strict=True) if not output.inout]
    given = module.convert(**given) if hasattr(module, "convert") else given.values()
    if hasattr(module, "prepare"):
        result = module.prepare(case)(*given, *fresh)
    else:
        result = module.run(*given, *fresh, **parameters)
    results = filled if result is None else result if isinstance(result, tuple) else [result]
    if len(results) < len(declared):  # scalars alone
        arrays, scalars = iter(filled), iter(results)
        results = [next(scalars if output.shape == () else arrays) for output in declared]
    return [np.asarray(found.copy_to_host() if hasattr(found, "copy_to_host") else found) for found in results]
