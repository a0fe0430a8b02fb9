"""Read the implementations of a kernel from the text and constants of their files, without importing them."""

import ast
import contextlib
import keyword
import re
import sys
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from accelbench import backends, toolchains
from accelbench.errors import InputError, one_line
from accelbench.kernels import reading
from accelbench.kernels.specification import MOST, require
from accelbench.model.limits import fits
from accelbench.model.names import NAME
from accelbench.model.parameters import BLOCK_SIZE, BlockSize

FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*\Z")  # Name of a source; it cannot look like a compiler's option
VALUE = re.compile(r"[A-Za-z0-9_.+-]+\Z")  # Value of a parameter in names of cases and on command lines
# Names that no parameter can have: attributes of `case`, and names in the statement that is timed
TAKEN = re.compile(r"(size|dtype|ctype|itemsize|blocks|options|device|queue|stream|artifact|tuned|prepared|run|a\d+)\Z")
FROM_CONFIGURATION = ("block_size", "threads")  # Parameters whose values the configuration may give
NAMING = "Use lower-case letters, digits and underscores"
TUPLE = 'Write a tuple of strings, ("like this",)'
# Constants of an implementation: {name: (default, allowed types, remedy for other types)}
CONSTANTS = {
    "PARAMETERS": ((), (tuple, list, dict), TUPLE),
    "SOURCES": ((), (tuple, list), TUPLE),
    "FLAGS": ((), (tuple, list), TUPLE),
    "VARIANTS": ({}, dict, 'Write a dictionary, {{"fast": ("-ffast-math",)}}'),
    "TOOLCHAIN": (None, str, "Write one of {toolchains}, as a string"),
    "ALGORITHM": ("", (str, dict), "Write the name of one of kernel.py's algorithms, or {{variant: name}}"),
    "TUNED_BY": (None, str, "Write, as a string, the name of the implementation whose PARAMETERS are swept"),
}


@dataclass(frozen=True)
class Implementation:
    """An implementation of a kernel: a file, or one of the variants that a file declares.

    parameters  {name: values to sweep, or None if the configuration gives them}; without "threads"
    threads     whether its number of threads is a parameter
    flags       compiler flags beyond the configured ones
    algorithm   name of its algorithm in kernel.py; "" until with_checks sets the default
    toolchain   toolchain that builds `sources` or the .pyx file, or None if there is nothing to build
    tuned_by    name of the implementation whose sweep finds the parameters that this one uses, or None
    note        note for readers of its results, or None
    problem     why its file cannot be used, or None. Its cases get the outcome `error` and this reason
    compiler    C compiler that builds it, if `build.cc` names several compilers; else ""
    environment  name of the environment (separate Python) that runs its workers; "" for accelbench's own Python
    own_python  Python executable of this environment; "" for accelbench's own Python
    """

    name: str
    kernel: str
    path: Path
    backend: str
    title: str
    parameters: dict = field(default_factory=dict)
    threads: bool = False
    sources: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    toolchain: str | None = None
    variant: str | None = None
    algorithm: str = ""
    tuned_by: str | None = None
    note: str | None = None
    problem: str | None = None
    environment: str = ""
    own_python: str = ""
    compiler: str = ""

    @property
    def python(self):
        """Python executable that runs its workers. Toolchains build extensions for this Python."""
        return self.own_python or sys.executable

    @property
    def needed_environment(self):
        """Name of the environment that its backend needs, or None."""
        return backends.environment(self.backend)

    @property
    def files(self):
        """Paths of its file and its native sources; empty if the file cannot be used."""
        names = dict.fromkeys([self.path.name, *self.sources])
        return [] if self.problem else [self.path.parent / name for name in names]

    @cached_property
    def source_lines(self):
        """Number of lines in its file and native sources, as count_code_lines counts them."""
        return sum(count_code_lines(file.read_text(encoding="utf-8")) for file in self.files if file.is_file())

    @cached_property
    def _is_shortened(self):
        return any(reading.is_shortened(file) for file in self.files)

    def math(self, build) -> str:
        """Return "fast" if its sources or flags allow reordered or shortened floating-point operations, else "strict".

        build  config.Build, whose flags are included
        """
        flags = " ".join(toolchains.all_flags(self, build))
        return "fast" if self._is_shortened or reading.SHORTENED.search(flags) else "strict"

    def target(self, build) -> str:
        """Return "generic" if its code is compiled for all processors of the machine's architecture, else "native"."""
        if self.toolchain is None or toolchains.modules()[self.toolchain].PER_DEVICE:
            return "native"
        named = any(flag.endswith("=native") or "-arch=" in flag for flag in toolchains.all_flags(self, build))
        return "native" if named else "generic"


def check_backend(name: str, where: Any) -> str:
    """Return the backend in an implementation's name. Raise InputError if it is missing, or if nothing follows it."""
    backend, remedy = backends.of(name), f"Name it <backend>_<style>; backends: {', '.join(sorted(backends.modules()))}"
    require(backend, where, "the name does not begin with a backend", remedy=remedy)
    require(name.removeprefix(backend).strip("_"), where, "the name has nothing after the backend", remedy=remedy)
    return backend


def read_or_refuse(file: Path) -> list[Implementation]:
    """Return the implementations in a file. If the file cannot be used, return one Implementation with a `problem`.

    Raise InputError if the file's name is not valid for an implementation.
    """
    try:
        return read_implementation(file)
    except InputError as error:
        if not NAME.match(file.stem):
            raise
        backend = check_backend(file.stem, file)
        return [Implementation(file.stem, file.parent.name, file, backend, title=file.stem, problem=str(error))]


def read_implementation(file: str | Path) -> list[Implementation]:
    """Return the implementations in a file: first without a variant, then each variant. The file is not imported.

    The list ends with copies of these implementations for other backends that run the same file.
    """
    file = Path(file)
    require(NAME.match(file.stem), file, "is not a valid name of an implementation", remedy=NAMING)
    backend, suffix = check_backend(file.stem, file), file.suffix
    goes_together, remedy = (backend == "cython") == (suffix == ".pyx"), "Use .pyx for cython, .py for other backends"
    require(goes_together, file, f"{backend} cannot have {suffix} files", remedy=remedy)
    text = reading.read_text(file)
    tree, constants = _read_constants(file, text)
    reading.refuse_truth(file, tree, text)
    has_entry = _defines_entry(file, tree, text)
    require(has_entry, file, "defines neither `run` nor `prepare`", remedy="Define one: run(inputs..., outputs...)")
    toolchain = _toolchain(file, backend, constants["TOOLCHAIN"])
    parameters = _parameters(file, constants["PARAMETERS"])
    sources, flags = _sources(file, constants["SOURCES"]), _strings(file, "FLAGS", constants["FLAGS"])
    variants = {None: (), **_variants(file, constants["VARIANTS"])}
    built = bool(sources) or file.suffix == ".pyx"
    require(
        not sources or toolchain or backends.problem(backend),
        file,
        f"has SOURCES, but nothing is built for {backend}",
        remedy="Remove SOURCES, or set TOOLCHAIN",
    )
    require(
        built or not (flags or (len(variants) > 1 and "case.variant" not in text)),
        file,
        "has FLAGS or VARIANTS, but nothing is built",
        remedy="Name the files to build in SOURCES, let prepare read case.variant, or remove FLAGS and VARIANTS",
    )
    title = (ast.get_docstring(tree) or "").strip().partition("\n")[0]
    whole = Implementation(
        name=file.stem,
        kernel=file.parent.name,
        path=file,
        backend=backend,
        title=one_line(title) or file.stem,
        parameters={name: values for name, values in parameters.items() if name != "threads"},
        threads="threads" in parameters,
        sources=sources,
        flags=flags,
        toolchain=toolchain if built else None,
        tuned_by=constants["TUNED_BY"],
        note=reading.note(tree, text, backend),
    )
    versions = [_variant(whole, variant, extra, given=constants["ALGORITHM"]) for variant, extra in variants.items()]
    return [*versions, *(_run_by(other, version) for other in backends.sharing(backend) for version in versions)]


def _variant(whole, variant, extra, *, given):
    """Return the variant of the implementation `whole`, with `extra` flags. `given` is the file's ALGORITHM."""
    flags = whole.flags + extra
    return replace(
        whole,
        name="_".join(filter(None, [whole.name, variant])),
        flags=flags,
        threads=whole.threads or "-fopenmp" in flags,
        variant=variant,
        algorithm=given if isinstance(given, str) else str(given.get(variant or "", "")),
    )


def _run_by(backend, implementation):
    """Return a copy of an implementation for another backend. The name of the copy begins with this backend."""
    names = implementation.name, implementation.tuned_by
    name, tuned_by = (n and n.replace(implementation.backend, backend, 1) for n in names)
    return replace(implementation, name=name, tuned_by=tuned_by, backend=backend)


def _toolchain(file, backend, given):
    """Return the toolchain of a file's sources: the file's TOOLCHAIN, `given`, or else the backend's toolchain."""
    toolchain, known = given or backends.toolchain(backend), toolchains.modules()
    require(toolchain in (None, *known), file, f"TOOLCHAIN = {toolchain!r}", remedy=f"Use one of {', '.join(known)}")
    return toolchain


def _sources(file, given):
    """Check and return SOURCES, the names of files beside the implementation."""
    sources = _strings(file, "SOURCES", given)
    for source in sources:
        is_file = FILE_NAME.match(source) and (file.parent / source).is_file()
        require(is_file, file, f"SOURCES names {source!r}, which is not a file beside it", remedy="Correct SOURCES")
        reading.read_text(file.parent / source)
    is_unique = len(set(sources)) == len(sources)
    require(is_unique, file, f"SOURCES = {sources!r} names a file twice", remedy="Name it once")
    return sources


def _variants(file, given):
    """Return {name: further flags} of VARIANTS."""
    for name in given:
        require(isinstance(name, str) and NAME.match(name), file, f"VARIANTS: invalid name {name!r}", remedy=NAMING)
    return {name: _strings(file, f"VARIANTS[{name!r}]", extra) for name, extra in given.items()}


def _strings(file, constant, values):
    """Return the strings of a constant as a tuple."""
    are_texts = fits(values, tuple[str, ...] | list[str]) and all(v and "\0" not in v for v in values)
    require(are_texts, file, f"{constant} = {values!r}", remedy=TUPLE)
    return tuple(values)


def _parameters(file, given):
    """Return {name: values, or None if the configuration gives them} of PARAMETERS."""
    if not isinstance(given, dict):
        given = dict.fromkeys(_strings(file, "PARAMETERS", given))
    for name, values in given.items():
        is_free = isinstance(name, str) and NAME.match(name) and not (keyword.iskeyword(name) or TAKEN.match(name))
        require(is_free, file, f"PARAMETERS: invalid name {name!r}", remedy="Use another name, of a-z, 0-9 and _")
        require(
            name != "threads" or values is None,
            file,
            f"PARAMETERS[{name!r}] = {values!r}",
            remedy='Write {"threads": None}. Thread counts come from the configuration',
        )
        require(
            values is not None or name in FROM_CONFIGURATION,
            file,
            f"PARAMETERS names {name!r} without its values",
            remedy=f'Write them out: PARAMETERS = {{"{name}": (1, 2, 4)}}',
        )
    return {name: None if values is None else _values(file, name, values) for name, values in given.items()}


def _values(file, name, given):
    """Return the values that a parameter takes: numbers and words, or BlockSizes."""
    are_different = isinstance(given, (tuple, list)) and given and len(set(map(repr, given))) == len(given)
    remedy = "Write a tuple of different values, at least one"
    require(are_different, file, f"PARAMETERS[{name!r}] = {given!r}", remedy=remedy)
    return tuple(_value(file, name, value) for value in given)


def _value(file, name, value):
    """Return a value of a parameter unchanged, or as a BlockSize if the parameter is `block_size`."""
    problem = f"PARAMETERS[{name!r}] has the value {value!r}"
    if name == BLOCK_SIZE:
        with contextlib.suppress(ValueError):
            return BlockSize.parse(None if isinstance(value, str) else value)
        raise InputError(file, problem, "Write block sizes as whole numbers > 0, or as pairs of them")
    is_word = isinstance(value, str) and VALUE.match(value)
    is_number = isinstance(value, (bool, int, float)) and abs(value) <= MOST
    require(is_word or is_number, file, problem, remedy="Write finite numbers, or words of letters, digits and _.+-")
    return value


def count_code_lines(text: str) -> int:
    """Return the number of lines of a source, without blank lines, comments of Python or C, and the first docstring."""
    text = reading.DOCSTRING.sub("", reading.BLOCK_COMMENT.sub("", text), count=1)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith(("//", "# ")) for line in lines)


def _read_constants(file, text):
    """Return (syntax tree, {constant: value}) of an implementation. For a .pyx, parse only its head (_head_of_pyx)."""
    head = _head_of_pyx(text) if file.suffix == ".pyx" else text
    try:
        tree = ast.parse(head)
    except SyntaxError as error:
        raise InputError(
            f"{file}:{error.lineno}" if error.lineno else file, f"syntax error: {error.msg}", "Correct the file"
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(file, f"cannot be parsed: {str(error) or type(error).__name__}", "Correct the file") from None
    late = re.search(rf"^({'|'.join(CONSTANTS)})\s*=", text[len(head) :], flags=re.MULTILINE)
    if late:
        line = text[: len(head) + late.start()].count("\n") + 1
        raise InputError(f"{file}:{line}", f"{late[1]} comes too late", "Move it above the first import or definition")
    return tree, _literals(file, tree)


def _head_of_pyx(text):
    """Return the part of a .pyx before its first import, definition or decorator. This part is plain Python."""
    docstring = re.match(r'''(?:[ \t]*(?:#[^\n]*)?\n)*[rRuU]?("""|\'\'\').*?\1''', text, flags=re.DOTALL)
    pattern = re.compile(r"^(?:cimport|import|from|cdef|cpdef|def)\b|^@", flags=re.MULTILINE)
    match = pattern.search(text, docstring.end() if docstring else 0)
    return text[: match.start()] if match else text


def _literals(file, tree):
    values = {name: default for name, (default, *_) in CONSTANTS.items()}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for name in (target.id for target in targets if isinstance(target, ast.Name) and target.id in CONSTANTS):
            where, (_, kinds, remedy) = f"{file}:{node.lineno}", CONSTANTS[name]
            try:
                if not isinstance(node, (ast.Assign, ast.AnnAssign)):
                    raise ValueError("assembled from parts")
                values[name] = ast.literal_eval(node.value)
            except (ValueError, TypeError):
                raise InputError(
                    where,
                    f"{name} is not a literal",
                    "Write its value as a literal, since accelbench does not run the file to read it",
                ) from None
            if not isinstance(values[name], kinds):
                remedy = remedy.format(toolchains=", ".join(toolchains.modules()))
                raise InputError(where, f"{name} is a {type(values[name]).__name__}", remedy)
    return values


def _defines_entry(file, tree, text):
    if file.suffix == ".pyx":
        return re.search(r"^(?:def|cpdef)\b[^\n(]*\b(?:run|prepare)\s*\(|^run\s*=", text, flags=re.MULTILINE)
    names = set()
    for node in tree.body:
        names.add(getattr(node, "name", None))
        names.update(target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name))
        names.update(a.asname or a.name for a in getattr(node, "names", ()) if isinstance(a, ast.alias))
    return names & {"run", "prepare"}


def with_checks(implementations: dict[str, Implementation], known: dict[str, str]) -> dict[str, Implementation]:
    """Return a kernel's implementations with their algorithms. The default is the first algorithm in `known`.

    An implementation gets a `problem` if its algorithm is unknown, or if its TUNED_BY cannot be used.
    """
    checked = {}
    for name, implementation in implementations.items():
        implementation = replace(implementation, algorithm=implementation.algorithm or next(iter(known)))
        try:
            require(
                implementation.algorithm in known,
                implementation.path,
                f"ALGORITHM = {implementation.algorithm!r} is unknown",
                remedy=f"Write one of {', '.join(map(repr, known))}, or add it to `algorithms` in kernel.py",
            )
            _check_sweep(implementation, implementations)
        except InputError as error:
            implementation = replace(implementation, problem=str(error), tuned_by=None)
        checked[name] = implementation
    return checked


def _check_sweep(implementation, implementations):
    """Check TUNED_BY of `implementation`, if set.

    TUNED_BY must name an implementation with PARAMETERS and the same backend. `implementation` must have no PARAMETERS,
    and must name the other implementation's file in SOURCES.
    """
    if implementation.tuned_by is None:
        return
    file, swept = implementation.path, implementations.get(implementation.tuned_by)
    tuned = f"TUNED_BY = {implementation.tuned_by!r}"
    if swept is None or not swept.parameters:
        known = ", ".join(sorted(name for name, other in implementations.items() if other.parameters))
        remedy = f"Name one of {known}" if known else "Remove TUNED_BY: no implementation has PARAMETERS"
        raise InputError(file, f"{tuned} does not name an implementation with PARAMETERS", remedy)
    has_none, is_beside = not implementation.parameters, swept.backend == implementation.backend
    require(has_none, file, f"it has both {tuned} and PARAMETERS", remedy="Remove one of the two")
    require(is_beside, file, f"{tuned} has another backend", remedy=f"Name one of {implementation.backend}")
    require(
        swept.path.name in implementation.sources,
        file,
        f"{tuned}, but SOURCES does not name its file",
        remedy=f'Add "{swept.path.name}" to SOURCES, since a change of this file changes the implementation',
    )
