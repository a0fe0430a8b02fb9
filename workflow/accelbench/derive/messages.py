"""What compilers say, in a user's words: what does not work, in which line of the user's file, and what would help."""

import re

from accelbench.derive import source

# (pattern in what a compiler printed, what the user reads); {line} is the text of the user's line.
KNOWN = (
    (r"Numba.*?No implementation of function Function\(<function (?P<name>\w+)", "Numba has no np.{name} of this form"),
    (r"No implementation of function Function\(<function (?P<name>\w+)", "Numba has no np.{name} of this form"),
    (r"Use of unsupported NumPy function '(?P<name>[\w.]+)'", "Numba has no {name}"),
    (r"Unknown attribute '(?P<name>\w+)' of type (?P<type>\w+)", "Numba has no attribute {name} of a {type}"),
    (r"Cannot unify (?P<one>\S+) and (?P<two>\S+) for '(?P<name>[\w.]+)'", "the type of {name} changes"),
    (r"Untyped global name '(?P<name>\w+)'", "Numba cannot use {name}"),
    (r"Cannot request literal type", "Numba must know this value when it compiles"),
    (r"non-precise type", "Numba cannot tell the type of this value"),
    (r"NonConcreteBooleanIndexError", "the number of elements of data[mask] depends on the data"),
    (r"ConcretizationTypeError|TracerIntegerConversionError", "XLA must know this value when it compiles"),
    (r"TracerBoolConversionError", "a branch depends on the data, which XLA does not take: np.where does"),
    (r"TracerArrayConversionError", "a function that is not JAX's gets an array of JAX's"),
    (r"Slice entries must be static|must be static integers|Array slice indices", "the length of a slice is not fixed"),
    (r"carry (?:input|component|output)", "a loop changes the type or the shape of a value"),
    (r"module 'jax\.\w+(?:\.\w+)*' has no attribute '(?P<name>\w+)'", "JAX has no {name}"),
    (r"no answer within", "compiling took too long: its loops unroll, or a loop is long"),
    (r"cblas\.h", "Pythran needs BLAS for @ and np.dot. Install one: apt install libopenblas-dev"),
    (r"Unsupported type <class 'numpy\.ndarray'>", "CuPy gets an array of the host, which np.zeros makes"),
    (r"module 'cupy(?:\.\w+)*' has no attribute '(?P<name>\w+)'", "CuPy has no {name}"),
    (r"(?:PythranSyntaxError|UnsupportedSyntax|error: )(?P<name>[^\n]{0,120})", "Pythran: {name}"),
)
LAUNCH_S = 5e-6  # what launching a kernel on a GPU takes at least, in seconds
PLACES = (r'File "[^"\n]*?(?P<file>[\w.]+)", line (?P<line>\d+)', r"(?P<file>[\w.]+\.pyx?):(?P<line>\d+):\d+")


def absent(draft, observation, reason):
    """Return why a contestant cannot run here; of CuPy what its launches alone would take, if NumPy needs less."""
    known = observation.sizes[max(observation.sizes)]
    least = known.operations * LAUNCH_S
    if not draft.name.startswith("cupy") or least < known.seconds:
        return reason
    return f"not worth it as written: {known.operations:,} launches take {least * 1e3:.2g} ms at least ({reason})"


def in_users_lines(text, observation):
    """Return a message whose lines of the normal form are the user's ones."""

    def replaced(match):
        return source.place(observation.files, observation.lines.get(int(match[1]), int(match[1])))

    return re.sub(r"\bline (\d+)\b", replaced, re.sub(r"^(\d+):", r"line \1:", text))


def translate(printed, draft, observation):
    """Return a message for what a compiler printed about a Draft."""
    line = _line(printed, draft)
    where = ""
    if line is not None:
        written = observation.text.splitlines()[line - 1].strip()
        where = f"{source.place(observation.files, observation.lines.get(line, line))} `{written}`: "
    if "AssertionError" in printed and draft.name.startswith("numba"):
        return f"{where}Numba cannot index an array of several dimensions by a mask; np.where can"
    for pattern, words in KNOWN:
        if found := re.search(pattern, printed, re.DOTALL):
            return where + words.format(**found.groupdict())
    lines = [each.strip() for each in printed.splitlines() if each.strip()]
    return where + (lines[-1][:300] if lines else "it ended without a message")


def _line(printed, draft):
    """Return the line of the normal form that a compiler's words are about, or None."""
    names = {f"{draft.name}{draft.suffix}", *draft.extra}
    found = [match for pattern in PLACES for match in re.finditer(pattern, printed) if match.group("file") in names]
    known = [draft.normal_line(int(match.group("line")), match.group("file")) for match in found]
    known = [each for each in known if each is not None]
    return known[-1] if known else None
