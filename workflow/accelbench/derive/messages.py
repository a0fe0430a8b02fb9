"""Messages for the user that explain compilers' errors: the line of the user's file, the problem and the remedy."""

import re

from accelbench.derive import source

# Part of Numba's warning that it has found nothing to run in parallel
NOT_PARALLEL = "no transformation for parallel execution"
# (pattern in a compiler's output, message for the user)
KNOWN = (
    (
        # Numba's own functions for methods of arrays have prefixes: npy_max, np_any, array_mean
        r"No implementation of function Function\(<function (?:npy_|np_|array_(?!equ|split))?(?P<name>\w+)",
        "Numba does not support np.{name} with these arguments",
    ),
    (r"Use of unsupported NumPy function '(?P<name>[\w.]+)'", "Numba has no {name}"),
    (
        r"Unknown attribute '(?P<name>\w+)' of type (?P<type>\w+)",
        "Numba does not know the attribute {name} of a {type}",
    ),
    (
        r"Cannot unify (?P<one>\S+) and (?P<two>\S+) for '(?P<name>[\w.]+)'",
        "the type of {name} changes, which Numba does not accept",
    ),
    (r"Untyped global name '(?P<name>\w+)'", "Numba cannot use the global name {name}"),
    (r"Cannot request literal type", "Numba must know this value when it compiles"),
    (r"non-precise type", "Numba cannot determine the type of this value"),
    (r"assert idxty\.ndim == 1", "Numba cannot index an array of several dimensions by a mask. Use np.where"),
    (r"Sizes of [^\n]+ do not match", "Numba's parallel loops cannot combine arrays of these shapes"),
    (NOT_PARALLEL, "Numba finds no loop to run in parallel"),
    (r"NonConcreteBooleanIndexError", "the number of elements of data[mask] depends on the data"),
    (r"ConcretizationTypeError|TracerIntegerConversionError", "XLA must know this value when it compiles"),
    (r"TracerBoolConversionError", "a branch depends on the data, which XLA does not accept. Use np.where"),
    (r"TracerArrayConversionError", "a function of another library is called with an array of JAX"),
    (r"Slice entries must be static|must be static integers|Array slice indices", "the length of a slice is not fixed"),
    (r"carry (?:input|component|output)", "a loop changes the type or the shape of a value"),
    (r"module 'jax\.\w+(?:\.\w+)*' has no attribute '(?P<name>\w+)'", "JAX has no {name}"),
    (r"(?P<words>(?:line [^:\n]+: )?(?:its loops unroll|a loop unrolls) into (?:more than )?[\d,]+[^\n]+)", "{words}"),
    (
        r'(?P<file>\w+/\w+\.py)", line (?P<line>\d+), in \w+\n\s*(?P<code>[^\n]+)\n[\s^]*AssertionError\s*(?:\n|$)',
        "a compiler fails at an assertion in its own code, `{code}` ({file}:{line})",
    ),
    (r"cblas\.h|BLAS seem needed", "Pythran needs BLAS for @ and np.dot. Install it: make install LOCK=pythran"),
    (
        r"Unsupported type <class 'numpy\.ndarray'>",
        "CuPy is called with an array in host memory, a NumPy array",
    ),
    (r"with fake tensors: [^\n]+ got \w+\((?P<quote>[\"'])(?P<words>[^\n]+?)(?P=quote)\)", "PyTorch: {words}"),
    (r"module 'cupy(?:\.\w+)*' has no attribute '(?P<name>\w+)'", "CuPy has no {name}"),
    (r"(?:PythranSyntaxError|UnsupportedSyntax|error: )(?P<name>[^\n]{0,120})", "Pythran: {name}"),
    (r"(?P<last>\S[^\n]{0,299})[^\n]*\s*\Z", "{last}"),
    (r"", "the compiler ended without a message"),
)
LAUNCH_S, READ_S = 5e-6, 15e-6  # Minimum times of a kernel launch and of reading a number from a GPU, in seconds
# Patterns of source positions: two in compilers' messages, then one in tracebacks. Later patterns have priority
PLACES = (r"([\w.]+\.py) \((\d+)\)", r"([\w.]+\.pyx?):(\d+):\d+", r'([\w.]+)", line (\d+)')


def launches(observation):
    """Return a text with the minimum time that CuPy needs for kernel launches and reads at the largest size."""
    known = observation.sizes[max(observation.sizes)]
    return (
        f"a call on a GPU takes at least {(known.launches * LAUNCH_S + known.reads * READ_S) * 1e3:,.2f} ms, "
        f"for {known.launches:,} kernel launches and {known.reads:,} copies of a number to the host"
    )


def translate(printed, draft, observation):
    """Return a message for the user that explains the text that a compiler printed about a Draft."""
    files = set(draft.extra) or {f"{draft.name}{draft.suffix}"}
    positions = (pair for place in PLACES for pair in re.findall(place, printed))
    last = next(filter(None, [draft.lines.get(int(line), 0) for file, line in positions if file in files][::-1]), None)
    where = f"{source.place(observation.files, last, quoted=True)}: " if last else ""
    known = ((re.search(pattern, printed, re.DOTALL), words) for pattern, words in KNOWN)
    return next(where + words.format(**match.groupdict()) for match, words in known if match)
