"""Examination of a kernel before cases are planned.

The functions of a kernel.py are called at a tiny size. Functions that return shapes and costs are called at every
given or declared size. The reference, and functions that need its result, are called only with the default options.
"""

import numpy as np

from accelbench.kernels import catalog, specification

TRIAL_SIZE = 2


def examine(path, options, sizes):
    """Load a kernel and call its functions. Raise InputError if a function fails or returns an unusable value.

    options  values of the kernel's options. If None, use the defaults, and also call the reference
    sizes    sizes for functions of shapes and costs, which the coordinator later calls without a deadline. If None, use
             the sizes that the kernel declares
    """
    kernel = catalog.load(path)
    spec, given = kernel.spec, kernel.spec.options if options is None else options
    if sizes is None:
        sizes = {*spec.sizes_gpu, *spec.check_sizes}.union(*spec.sizes.values())
    for dtype in spec.dtypes:
        _try_functions(kernel, dtype, given, whole=options is None)
        for size in spec.tried_sizes(TRIAL_SIZE, *sizes):
            kernel.outputs(size, dtype, given)
            kernel.cost(size, np.dtype(dtype).itemsize, given)
            kernel.footprint_bytes(size, dtype, given)


def _try_functions(kernel, dtype, options, *, whole):
    """Call the functions of a kernel at a tiny size.

    whole  whether to call the reference and the functions that need its result, too
    """
    problem = {"size": max(TRIAL_SIZE, kernel.spec.smallest), "dtype": dtype, "options": options}
    inputs, exact = (kernel.inputs(rng=np.random.default_rng(0), exact=exact, **problem) for exact in (False, True))
    outputs = kernel.outputs(**problem)
    specification.check_alike(kernel.file, inputs, exact)
    specification.check_together(kernel.file, inputs, outputs, options=options)
    if not whole:
        return
    expected = kernel.expected(inputs=inputs, **problem)
    for exact in (False, True):
        kernel.tolerance(inputs=inputs, expected=expected, exact=exact, **problem)
    if "error_metrics" in kernel.functions:
        results = {o.name: np.asarray(e, o.dtype) for o, e in zip(outputs, expected, strict=True)}
        kernel.error_metrics(inputs=inputs, results=results | {"again": results}, expected=expected, **problem)
