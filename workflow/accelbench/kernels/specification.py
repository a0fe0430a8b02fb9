"""Checks of a kernel.py: its declaration KERNEL, and the values that its functions return.

A failed check raises InputError, which names the file, the problem and what is expected. The functions are checked at a
small size before any work starts, and again at each later call.
"""

import inspect
import keyword
import math

import numpy as np

from accelbench.errors import InputError
from accelbench.kernel import COSTS, DTYPES, PRESETS, Output
from accelbench.model.limits import fits
from accelbench.model.names import NAME

NUMERIC = "biufc"  # Kinds of dtypes, by NumPy's letters, that can be measured
MOST = 2**63 - 1  # Maximum of sizes, extents of arrays, and parameters: the largest signed 64-bit integer
ARGUMENTS = ("size", "dtype", "itemsize", "rng", "expected", "again")
# Functions of a kernel.py that are called before the inputs exist
WITHOUT_INPUTS = ("inputs", "exact_inputs", "outputs", *COSTS)
EXPLAINED = "Correct it; accelbench/kernel.py describes the arguments and results of each function"


def require(is_right, where, problem, *, remedy):
    """Raise InputError unless `is_right`."""
    if not is_right:
        raise InputError(where, problem, remedy)


def _is_whole(value, least=0):
    """Return whether a value is an int, but not a bool, from `least` to MOST."""
    return type(value) is int and least <= value <= MOST


def _is_text(value):
    return isinstance(value, str) and value.strip()


def _are_sizes(sizes, least):
    return isinstance(sizes, (tuple, list)) and all(_is_whole(size, least) for size in sizes)


TEXTS = tuple[str, ...] | list[str]
WORDS, NAMES = "Write some words: the report shows them", 'Write a tuple of names, ("like_this",)'
# {attribute of KERNEL: (function(value, KERNEL) that returns whether the value is valid, remedy)}
DECLARED = {
    "title": (lambda value, spec: _is_text(value), WORDS),
    "size": (lambda value, spec: _is_text(value), WORDS),
    "smallest": (lambda value, spec: _is_whole(value), "Write a whole number >= 0"),
    "sizes": (
        lambda value, spec: isinstance(value, dict) and set(value) == set(PRESETS),
        f"Write a dictionary with sizes for each of {', '.join(PRESETS)}",
    ),
    "dtypes": (
        lambda value, spec: _several(value) and len(set(value)) == len(value),
        'Write a tuple of different names, such as ("float64", "float32")',
    ),
    "baselines": (lambda value, spec: fits(value, TEXTS), NAMES),
    "lectures": (lambda value, spec: fits(value, TEXTS), NAMES),
    "sizes_gpu": (
        lambda value, spec: _are_sizes(value, spec.smallest),
        "Write a tuple of whole numbers, none below smallest",
    ),
    "check_sizes": (
        lambda value, spec: _are_sizes(value, 0) and (value or spec.any_size),
        "Write a tuple of whole numbers >= 0",
    ),
    "block_dimensions": (lambda value, spec: value in (1, 2), "Write 1 or 2"),
    "location": (lambda value, spec: value in ("device", "host"), 'Write "device" or "host"'),
    "options": (lambda value, spec: isinstance(value, dict), 'Write a dictionary of numbers, {"vertices": 24}'),
    "algorithms": (
        lambda value, spec: isinstance(value, dict) and value and all(map(_is_text, (*value, *value.values()))),
        'Write a dictionary of words, {"scan line": "what it does"}',
    ),
}


def check_values(file, spec):
    """Check the attributes of KERNEL that DECLARED lists."""
    for key, (is_right, remedy) in DECLARED.items():
        require(is_right(getattr(spec, key), spec), file, f"{key} = {getattr(spec, key)!r}", remedy=remedy)


def check_declaration(file, spec, functions, *, implementations):
    """Check KERNEL and the functions' parameters. `implementations` is the folder's {name: Implementation}."""
    for preset, sizes in spec.sizes.items():
        require(
            _several(sizes) and _are_sizes(sizes, spec.smallest),
            file,
            f"sizes[{preset!r}] = {sizes!r}",
            remedy=f"Write a tuple of whole numbers >= {spec.smallest}, at least one",
        )
    for dtype in spec.dtypes:
        check_dtype(file, "dtypes", dtype)
    here = f"Implementations here: {', '.join(implementations) or 'none'}"
    for name in (spec.baseline, *spec.baselines):
        require(name in implementations, file, f"the baseline {name!r} is not in this folder", remedy=here)
        problem = implementations[name].problem
        require(
            not problem,
            file,
            f"the baseline {name} cannot be used: {problem}",
            remedy="Correct the baseline: every kernel needs it",
        )
    for name, value in spec.options.items():
        is_number = type(value) in (int, float) and math.isfinite(value)
        is_name = isinstance(name, str) and NAME.match(name) and not keyword.iskeyword(name)
        require(
            is_number and is_name,
            file,
            f"options[{name!r}] = {value!r}",
            remedy="Options are plain numbers, named with a-z, 0-9 and _",
        )
        _check_meaning(file, "an option", name, taken=(*ARGUMENTS, "block_size", "threads"))
    for name, function in functions.items():
        _check_parameters(file, name, function, known={*ARGUMENTS, *spec.options})


def _check_meaning(file, what, name, *, taken):
    require(name not in taken, file, f"{what} has the reserved name {name!r}", remedy="Rename it")


def _several(values):
    return isinstance(values, (tuple, list)) and len(values) > 0


def _check_parameters(file, name, function, *, known):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise InputError(file, f"{name} is not a plain function", EXPLAINED) from None
    remedy = f"Possible parameters: {', '.join(sorted(known))}"
    for parameter in parameters:
        is_named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        is_known = name not in WITHOUT_INPUTS or parameter.name in known
        require(is_named and is_known, file, f"{name} has the unsupported parameter {parameter.name!r}", remedy=remedy)


def check_dtype(file, what, dtype):
    """Check that `dtype` is one of the names in DTYPES, such as "float64", but not "double" or numpy.float64."""
    is_known = isinstance(dtype, str) and dtype in DTYPES
    require(
        is_known,
        file,
        f"{what}: {dtype!r} is not the name of a numeric dtype",
        remedy=f"Write one of {', '.join(DTYPES)}",
    )


def check_inputs(file, inputs):
    """Check and return the inputs, {name: array or NumPy scalar}."""
    require(isinstance(inputs, dict), file, f"inputs returned {_named(inputs)}, not a dictionary", remedy=EXPLAINED)
    for name, value in inputs.items():
        _check_name(file, "inputs", name)
        _check_meaning(file, "an input", name, taken=ARGUMENTS)
        require(
            isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in NUMERIC,
            file,
            f"inputs returned {_named(value)} as {name!r}",
            remedy="Make it a NumPy array or a NumPy scalar of numbers: numpy.float64(0.5)",
        )
        require(
            value.flags.c_contiguous,
            file,
            f"inputs returned {name!r} with the strides {value.strides}, which is not C-contiguous",
            remedy="Return numpy.ascontiguousarray(array). Instead of a column-major array, return its transpose",
        )
    return inputs


def check_alike(file, inputs, exact):
    """Check that `exact`, the result of exact_inputs, has the names, shapes and dtypes of `inputs`."""
    kinds = [[(name, np.shape(value), value.dtype) for name, value in given.items()] for given in (inputs, exact)]
    require(
        kinds[0] == kinds[1],
        file,
        "exact_inputs returned other names, shapes or dtypes than inputs",
        remedy="Return the same arrays in the same order with other numbers in them",
    )


def check_outputs(file, outputs):
    """Check and return the outputs. Each must be an Output with a shape of plain ints and a numeric dtype."""
    are_outputs = _several(outputs) and all(isinstance(output, Output) for output in outputs)
    require(are_outputs, file, f"outputs returned {_named(outputs)}", remedy='Return (Output("y", (size,), dtype),)')
    for output in outputs:
        _check_name(file, "outputs", output.name)
        require(
            isinstance(output.shape, tuple) and all(map(_is_whole, output.shape)),
            file,
            f"the output {output.name!r} has the shape {output.shape!r}",
            remedy="Write a tuple of whole numbers >= 0: (size,), or () for a number",
        )
        check_dtype(file, f"the output {output.name!r}", output.dtype)
    names = {output.name for output in outputs}
    require(len(names) == len(outputs), file, "two outputs have the same name", remedy="Rename one")
    return tuple(outputs)


def check_expected(file, outputs, expected):
    """Check that the reference's result has the outputs' shapes, and return it as a tuple in output order."""
    expected = _for_each(file, "reference", outputs, returned=expected, what="results")
    for output, value in zip(outputs, expected, strict=True):
        shape = _numbers(file, "reference", output, value=value).shape
        require(
            shape == output.shape,
            file,
            f"reference returned the shape {shape} for {output.name!r}, whose shape is {output.shape}",
            remedy="Correct one of the two",
        )
    return expected


def _for_each(file, function, outputs, *, returned, what):
    """Return the value `returned` by a function as a tuple with an element for each output."""
    returned = returned if isinstance(returned, tuple) else (returned,)
    require(
        len(returned) == len(outputs),
        file,
        f"{function} returned {len(returned)} {what} for {len(outputs)} outputs",
        remedy=EXPLAINED,
    )
    return returned


def check_tolerance(file, outputs, expected, *, tolerance, has_metrics=False):
    """Check and return the tolerances, a tuple in output order.

    A tolerance must not be negative, and must broadcast to the output's shape. It must be finite, unless kernel.py has
    error_metrics.
    """
    tolerance = _for_each(file, "tolerance", outputs, returned=tolerance, what="bounds")
    for output, value, bound in zip(outputs, expected, tolerance, strict=True):
        array = _numbers(file, "tolerance", output, value=bound)
        try:
            is_fitting = np.broadcast_shapes(array.shape, np.shape(value)) == np.shape(value)
        except ValueError:
            is_fitting = False
        require(
            is_fitting,
            file,
            f"tolerance returned the shape {array.shape} for {output.name!r}, whose shape is {output.shape}",
            remedy="Return one number, or one for each element",
        )
        is_real, is_finite = array.dtype.kind != "c", has_metrics or not np.isinf(array).any()
        values = array.flat[0] if array.size == 1 else "values"
        require(
            is_real and is_finite and (array >= 0).all(),
            file,
            f"tolerance returned {values} for {output.name!r}, not finite numbers >= 0",
            remedy="Return absolute errors >= 0. Infinity is allowed only if kernel.py has error_metrics",
        )
    return tolerance


def check_error_metrics(file, metrics):
    """Check and return the error metrics, {name: (error, tolerance)}, as floats. An error may be NaN."""
    errors = {}
    for what, pair in metrics.items() if isinstance(metrics, dict) else [(None, metrics)]:
        try:
            error, tolerance = map(float, pair)
        except (TypeError, ValueError):
            error, tolerance = 0.0, math.nan
        require(
            isinstance(what, str) and 0 <= tolerance < math.inf,
            file,
            f"error_metrics returned {_named(metrics if what is None else {what: pair})}",
            remedy='Return {"what": (error, finite tolerance >= 0)}',
        )
        errors[what] = error, tolerance
    return errors


def check_moved(file, moved):
    """Check and return (bytes read, bytes written) as floats."""
    require(
        _several(moved) and len(moved) == 2,
        file,
        f"bytes_moved returned {_named(moved)}",
        remedy="Return two numbers: bytes read, bytes written",
    )
    return tuple(check_amount(file, "bytes_moved", value) for value in moved)


def check_amount(file, function, value):
    """Check and return the count that a function returned, as a float."""
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    require(0 <= number < math.inf, file, f"{function} returned {_named(value)}", remedy="Return finite numbers >= 0")
    return number


def check_together(file, inputs, outputs, *, options):
    """Check that names of inputs, options and outputs differ, except for inout outputs (inputs changed in place).

    An inout output must have the name, shape and dtype of an input.
    """
    for name in inputs.keys() & options.keys():
        raise InputError(file, f"{name!r} is an input and an option", "Rename one of the two")
    for output in outputs:
        source = inputs.get(output.name)
        if not output.inout:
            both = f"{output.name!r} is an input and an output"
            require(source is None, file, both, remedy="Rename one, or set inout=True")
        elif source is None or (source.shape, source.dtype) != (output.shape, output.dtype):
            unlike = f"the output {output.name!r} is inout, but no input of this name has its shape and dtype"
            raise InputError(file, unlike, "Add this input, or remove inout")


def _check_name(file, function, name):
    is_name = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
    require(
        is_name,
        file,
        f"{function} has the invalid name {name!r}",
        remedy="Use names that parameters of functions can have",
    )


def _numbers(file, function, output, *, value):
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    require(
        array.dtype.kind in NUMERIC,
        file,
        f"{function} returned {_named(value)} for {output.name!r}",
        remedy="Return numbers",
    )
    return array


def _named(value):
    """Return a short description of a value for messages."""
    shown = repr(value)
    return f"the {type(value).__name__} {shown}" if len(shown) < 60 else f"a {type(value).__name__}"
