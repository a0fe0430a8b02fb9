"""Whether a kernel.py can be used: what it declares, and what its functions return.

Every function here raises one InputError naming the file, what is wrong with it and what is expected instead. They are
asked before any work starts, at a size where it costs nothing, and again wherever the functions are called in earnest.
"""

import inspect
import keyword
import math

import numpy as np

from accelbench.errors import InputError
from accelbench.kernel import COSTS, DTYPES, PRESETS, Output
from accelbench.model.names import NAME

NUMERIC = "biufc"  # NumPy's kinds of dtypes that can be measured
MOST = 2**63 - 1  # lengths are 64-bit
ARGUMENTS = ("size", "dtype", "itemsize", "rng", "expected", "again")
# Functions that are called before there are any inputs.
WITHOUT_INPUTS = ("inputs", "exact_inputs", "outputs", *COSTS)
EXPLAINED = "Correct it; accelbench/kernel.py says what each function takes and returns"


def whole(value, least=0):
    """Whether `value` is a plain int, no bool, from `least` up to what a 64-bit length can hold."""
    return type(value) is int and least <= value <= MOST


def _is_text(value):
    return isinstance(value, str) and value.strip()


def _are_texts(values):
    return isinstance(values, (tuple, list)) and all(isinstance(value, str) for value in values)


def _are_sizes(sizes, least):
    return isinstance(sizes, (tuple, list)) and all(whole(size, least) for size in sizes)


WORDS, NAMES = "Write some words: the report shows them", 'Write a tuple of names, ("like_this",)'
# {attribute of KERNEL: (whether its value is right in a specification, what to write)}
DECLARED = {
    "title": (lambda value, spec: _is_text(value), WORDS),
    "size": (lambda value, spec: _is_text(value), WORDS),
    "smallest": (lambda value, spec: whole(value), "Write a whole number >= 0"),
    "sizes": (
        lambda value, spec: isinstance(value, dict) and set(value) == set(PRESETS),
        f"Write a dictionary with sizes for each of {', '.join(PRESETS)}",
    ),
    "dtypes": (
        lambda value, spec: _several(value) and len(set(value)) == len(value),
        'Write a tuple of different names, such as ("float64", "float32")',
    ),
    "baselines": (lambda value, spec: _are_texts(value), NAMES),
    "lectures": (lambda value, spec: _are_texts(value), NAMES),
    "sizes_gpu": (
        lambda value, spec: _are_sizes(value, spec.smallest),
        "Write a tuple of whole numbers, none below smallest",
    ),
    "check_sizes": (
        lambda value, spec: _are_sizes(value, 0) and (value or spec.any_size),
        "Write a tuple of whole numbers >= 0",
    ),
    "block_dimensions": (lambda value, spec: value in (1, 2), "Either 1 or 2"),
    "location": (lambda value, spec: value in ("device", "host"), 'Either "device" or "host"'),
    "options": (lambda value, spec: isinstance(value, dict), 'Write a dictionary of numbers, {"vertices": 24}'),
    "algorithms": (
        lambda value, spec: isinstance(value, dict) and value and all(map(_is_text, (*value, *value.values()))),
        'Write a dictionary of words, {"scan line": "what it does"}',
    ),
}


def check_values(file, spec):
    """Check the values in KERNEL."""
    for key, (is_right, remedy) in DECLARED.items():
        if not is_right(value := getattr(spec, key), spec):
            raise InputError(file, f"{key} = {value!r}", remedy)


def check_declaration(file, spec, functions, *, implementations):
    """Check KERNEL and the parameters of the functions; `implementations` are those in the folder, by name."""
    for preset, sizes in spec.sizes.items():
        if not _several(sizes) or not _are_sizes(sizes, spec.smallest):
            remedy = f"Write a tuple of whole numbers >= {spec.smallest}, at least one"
            raise InputError(file, f"sizes[{preset!r}] = {sizes!r}", remedy)
    for dtype in spec.dtypes:
        check_dtype(file, "dtypes", dtype)
    for name in (spec.baseline, *spec.baselines):
        if name not in implementations:
            have = ", ".join(implementations) or "none"
            raise InputError(file, f"the baseline {name!r} is not in this folder", f"Implementations here: {have}")
        if problem := implementations[name].problem:
            raise InputError(file, f"the baseline {name} cannot be used: {problem}", "A kernel needs its baseline")
    for name, value in spec.options.items():
        number = type(value) in (int, float) and math.isfinite(value)
        if not number or not isinstance(name, str) or not NAME.match(name) or keyword.iskeyword(name):
            remedy = "Options are plain numbers, named with a-z, 0-9 and _"
            raise InputError(file, f"options[{name!r}] = {value!r}", remedy)
        if name in (*ARGUMENTS, "block_size", "threads"):
            raise InputError(file, f"an option is called {name!r}, which means something else already", "Rename it")
    for name, function in functions.items():
        _check_parameters(file, name, function, known={*ARGUMENTS, *spec.options})


def _several(values):
    return isinstance(values, (tuple, list)) and len(values) > 0


def _check_parameters(file, name, function, *, known):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise InputError(file, f"{name} is no plain function", EXPLAINED) from None
    for parameter in parameters:
        named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if not named or (name in WITHOUT_INPUTS and parameter.name not in known):
            raise InputError(
                file,
                f"{name} asks for {parameter.name!r}",
                f"It can ask for: {', '.join(sorted(known))}, each by its name",
            )


def check_dtype(file, what, dtype):
    """Check that `dtype` is one of the names in DTYPES: "float64", neither "double" nor numpy.float64."""
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise InputError(file, f"{what}: {dtype!r} is no numeric dtype's name", f"Write one of {', '.join(DTYPES)}")


def check_inputs(file, inputs):
    """{name: array or NumPy scalar}, as given."""
    if not isinstance(inputs, dict):
        raise InputError(file, f"inputs returned {_named(inputs)}, not a dictionary", EXPLAINED)
    for name, value in inputs.items():
        _check_name(file, "inputs", name)
        if name in ARGUMENTS:
            raise InputError(file, f"an input is called {name!r}, which means something else already", "Rename it")
        if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind not in NUMERIC:
            what = f"inputs returned {_named(value)} as {name!r}"
            raise InputError(file, what, "Make it a NumPy array or a NumPy scalar of numbers: numpy.float64(0.5)")
        if not value.flags.c_contiguous:
            what = f"inputs returned {name!r} with the strides {value.strides}, which is not C-contiguous"
            raise InputError(
                file, what, "Return numpy.ascontiguousarray(...) of it; a column-major array is the transpose of one"
            )
    return inputs


def check_alike(file, inputs, exact):
    """Check that `exact`, what exact_inputs returned, goes into the arrays of `inputs`."""
    kinds = [{name: (np.shape(value), value.dtype) for name, value in given.items()} for given in (inputs, exact)]
    if list(kinds[0].items()) != list(kinds[1].items()):
        raise InputError(
            file,
            "exact_inputs returned other names, shapes or dtypes than inputs",
            "Return the same arrays in the same order with other numbers in them",
        )


def check_outputs(file, outputs):
    """The outputs as a tuple of Output, each with a shape of plain ints and a numeric dtype."""
    if not _several(outputs) or not all(isinstance(output, Output) for output in outputs):
        raise InputError(file, f"outputs returned {_named(outputs)}", 'Return (Output("y", (size,), dtype),)')
    for output in outputs:
        _check_name(file, "outputs", output.name)
        if not isinstance(output.shape, tuple) or not all(map(whole, output.shape)):
            raise InputError(
                file,
                f"the output {output.name!r} has the shape {output.shape!r}",
                "Write a tuple of whole numbers >= 0: (size,), or () for a number",
            )
        check_dtype(file, f"the output {output.name!r}", output.dtype)
    if len({output.name for output in outputs}) < len(outputs):
        raise InputError(file, "two outputs have the same name", "Rename one")
    return tuple(outputs)


def check_expected(file, outputs, expected):
    """The reference result as a tuple in output order, of the outputs' shapes."""
    expected = expected if isinstance(expected, tuple) else (expected,)
    if len(expected) != len(outputs):
        raise InputError(file, f"reference returned {len(expected)} results for {len(outputs)} outputs", EXPLAINED)
    for output, value in zip(outputs, expected, strict=True):
        array = _numbers(file, "reference", output, value=value)
        if array.shape != output.shape:
            raise InputError(
                file,
                f"reference returned the shape {array.shape} for {output.name!r}, whose shape is {output.shape}",
                "Correct the one or the other",
            )
    return expected


def check_tolerance(file, outputs, expected, *, tolerance, has_metrics=False):
    """The tolerances as a tuple in output order: finite, not negative, broadcasting to the outputs' shapes.

    Where kernel.py has error_metrics, a tolerance may be infinite.
    """
    tolerance = tolerance if isinstance(tolerance, tuple) else (tolerance,)
    if len(tolerance) != len(outputs):
        raise InputError(file, f"tolerance returned {len(tolerance)} bounds for {len(outputs)} outputs", EXPLAINED)
    for output, value, bound in zip(outputs, expected, tolerance, strict=True):
        array = _numbers(file, "tolerance", output, value=bound)
        try:
            fits = np.broadcast_shapes(array.shape, np.shape(value)) == np.shape(value)
        except ValueError:
            fits = False
        if not fits:
            what = f"tolerance returned the shape {array.shape} for {output.name!r}, whose shape is {output.shape}"
            raise InputError(file, what, "Return one number, or one for each element")
        if array.dtype.kind == "c" or (array.size and not (array.min() >= 0 and (has_metrics or array.max() < np.inf))):
            what = f"tolerance returned {array.flat[0] if array.size == 1 else 'values'} for {output.name!r}"
            raise InputError(
                file,
                f"{what}, not finite numbers >= 0",
                "A tolerance is an absolute error: 0 or more, numpy.inf only beside error_metrics",
            )
    return tolerance


def check_error_metrics(file, metrics):
    """{what: (error, tolerance)} as floats; an error may be anything, also no number."""
    errors = {}
    for what, pair in metrics.items() if isinstance(metrics, dict) else [(None, metrics)]:
        try:
            error, tolerance = map(float, pair)
        except (TypeError, ValueError):
            error, tolerance = 0.0, math.nan
        if not isinstance(what, str) or not 0 <= tolerance < math.inf:
            raise InputError(
                file,
                f"error_metrics returned {_named(metrics if what is None else {what: pair})}",
                'Return {"what": (error, finite tolerance >= 0)}',
            )
        errors[what] = error, tolerance
    return errors


def check_moved(file, moved):
    """(bytes read, bytes written) as floats."""
    if not _several(moved) or len(moved) != 2:
        raise InputError(file, f"bytes_moved returned {_named(moved)}", "Return two numbers: bytes read, bytes written")
    return tuple(check_amount(file, "bytes_moved", value) for value in moved)


def check_amount(file, function, value):
    """What a function that counts something returned, as a float."""
    try:
        number = float("nan") if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(file, f"{function} returned {_named(value)}", "Return finite numbers >= 0")
    return number


def check_together(file, inputs, outputs, *, options):
    """Names that would hide each other, and outputs that start as an input which is not there."""
    for name in inputs.keys() & options.keys():
        raise InputError(file, f"{name!r} is an input and an option", "Rename one of the two")
    for output in outputs:
        source = inputs.get(output.name)
        if output.inout and (source is None or source.shape != output.shape or source.dtype != output.dtype):
            raise InputError(
                file,
                f"the output {output.name!r} is inout, but no input of this name has its shape and dtype",
                "Add that input, or leave inout out",
            )
        if not output.inout and source is not None:
            raise InputError(file, f"{output.name!r} is an input and an output", "Rename one, or say inout=True")


def _check_name(file, function, name):
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise InputError(file, f"{function} names {name!r}", "Write names that Python functions can take")


def _numbers(file, function, output, *, value):
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in NUMERIC:
        raise InputError(file, f"{function} returned {_named(value)} for {output.name!r}", "Return numbers")
    return array


def _named(value):
    """What a value is, in a few words."""
    shown = repr(value)
    return f"the {type(value).__name__} {shown}" if len(shown) < 60 else f"a {type(value).__name__}"
