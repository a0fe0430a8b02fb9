"""What is found out about a kernel before anything is planned with it: its functions called once, at a tiny size."""

import numpy as np

from accelbench.kernels import catalog, specification

TRIAL_SIZE = 2


def examine(path, options):
    """Load a kernel and call its functions at a size that costs nothing, with `options` or, where None, with their own
    values, and then the reference, too; InputError where one fails or returns what cannot be used."""
    kernel = catalog.load(path)
    spec, given = kernel.spec, kernel.spec.options if options is None else options
    for dtype in spec.dtypes:
        _try_functions(kernel, dtype, given)
        if options is None:
            _try_reference(kernel, dtype)
    if options is None:
        kernel.cost(max(map(max, spec.sizes.values())), np.dtype(spec.dtypes[0]).itemsize, spec.options)


def _try_functions(kernel, dtype, options):
    inputs = kernel.inputs(TRIAL_SIZE, dtype, rng=np.random.default_rng(0), options=options)
    exact = kernel.inputs(TRIAL_SIZE, dtype, rng=np.random.default_rng(0), options=options, exact=True)
    specification.check_alike(kernel.file, inputs, exact)
    specification.check_together(kernel.file, inputs, kernel.outputs(TRIAL_SIZE, dtype, options), options=options)
    kernel.cost(TRIAL_SIZE, np.dtype(dtype).itemsize, options)
    kernel.held(TRIAL_SIZE, dtype, options)


def _try_reference(kernel, dtype):
    problem = {"size": TRIAL_SIZE, "dtype": dtype, "options": kernel.spec.options}
    inputs = kernel.inputs(rng=np.random.default_rng(0), **problem)
    expected = kernel.expected(inputs=inputs, **problem)
    for exact in (False, True):
        kernel.tolerance(inputs=inputs, expected=expected, exact=exact, **problem)
    if "error_metrics" in kernel.functions:
        outputs = kernel.outputs(**problem)
        results = {o.name: np.asarray(e, o.dtype) for o, e in zip(outputs, expected, strict=True)}
        kernel.error_metrics(inputs=inputs, results=results, again=results, **problem)
