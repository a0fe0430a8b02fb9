"""Implementations, read without importing them: what a file, and the constants at its top, say of each."""

import ast
import keyword
import re
import sys
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from accelbench import backends, toolchains
from accelbench.errors import InputError, one_line
from accelbench.kernels import reading, specification
from accelbench.model.names import NAME
from accelbench.model.parameters import BLOCK_SIZE, BlockSize

FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*\Z")  # what no compiler takes for an option
VALUE = re.compile(r"[A-Za-z0-9_.+-]+\Z")  # of a parameter, as case names and the shell can carry it
# Names that mean something else where parameters are given: in `case`, and in the statement that is timed.
TAKEN = re.compile(r"(size|dtype|ctype|itemsize|blocks|options|device|queue|stream|artifact|tuned|prepared|run|a\d+)\Z")
FROM_CONFIGURATION = ("block_size", "threads")  # the parameters whose values are not the implementation's business
TUPLE = 'Write a tuple of strings, ("like this",)'
# What an implementation declares: {constant: (default, types, what to do where it is of another)}.
CONSTANTS = {
    "PARAMETERS": ((), (tuple, list, dict), TUPLE),
    "SOURCES": ((), (tuple, list), TUPLE),
    "FLAGS": ((), (tuple, list), TUPLE),
    "VARIANTS": ({}, dict, 'Write a dictionary, {{"fast": ("-ffast-math",)}}'),
    "TOOLCHAIN": (None, str, "One of {toolchains}, as a string"),
    "ALGORITHM": ("", (str, dict), "Write the name of one of kernel.py's algorithms, or {{variant: name}}"),
    "TUNED_BY": (None, str, "Write the name of the implementation that is swept, as a string"),
}


@dataclass(frozen=True)
class Implementation:
    """One way of writing a kernel: one file, or one variant of it.

    parameters  {name: values to sweep, or None where the configuration says}; without "threads"
    threads     whether it uses as many threads as it is given
    flags       compiler flags beyond the configured ones
    algorithm   its name among those of kernel.py; "" where the kernel is not known
    toolchain   what builds `sources`, or None where there is nothing to build
    tuned_by    the implementation whose parameters it takes, those that a sweep found best, or None
    note        what is to be known of its results, or None
    problem     why its file cannot be used, or None; its cases then end as errors with this reason
    compiler    the C compiler in `build.cc` that makes it, if there are several
    environment, own_python  the environment that it runs in, and its Python; "" for accelbench's own Python
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
        """The executable that its workers run, and what builds for it."""
        return self.own_python or sys.executable

    @property
    def needed_environment(self):
        """The name of the environment that its backend needs, or None."""
        return backends.environment(self.backend)

    @property
    def files(self):
        """The paths of its own file and its native sources; none of a file that cannot be used."""
        names = dict.fromkeys([self.path.name, *self.sources])
        return [] if self.problem else [self.path.parent / name for name in names]

    @cached_property
    def source_lines(self):
        """Lines of code a person wrote for it: file and native sources, without blank lines, comments, docstring."""
        return sum(count_code_lines(file.read_text(encoding="utf-8")) for file in self.files if file.is_file())

    @cached_property
    def _is_shortened(self):
        return any(reading.is_shortened(file) for file in self.files)

    def math(self, build) -> str:
        """Return "fast" where its sources, or its flags with a config.Build, let operations be reordered or shortened,
        else "strict"."""
        flags = " ".join(toolchains.all_flags(self, build))
        return "fast" if self._is_shortened or reading.SHORTENED.search(flags) else "strict"

    def target(self, build) -> str:
        """Return "generic" where a compiler makes its code for any processor of the machine's architecture, else
        "native"."""
        if self.toolchain is None or toolchains.modules()[self.toolchain].PER_DEVICE:
            return "native"
        named = any(flag.endswith("=native") or "-arch=" in flag for flag in toolchains.all_flags(self, build))
        return "native" if named else "generic"


def check_backend(name: str, where: Any) -> str:
    """The backend of an implementation called `name`; InputError where it begins with none, or goes no further."""
    backend = backends.of(name)
    if backend is None or not name.removeprefix(backend).strip("_"):
        known = ", ".join(sorted(backends.modules()))
        raise InputError(
            where,
            "the name begins with no backend" if backend is None else "the name is a backend's alone",
            f"Name it <backend>_<style>; backends: {known}",
        )
    return backend


def read_or_refuse(file: Path) -> list[Implementation]:
    """Return the implementations in a file as read_implementation does, or one whose `problem` says why it cannot be
    used; InputError where the file's name is no implementation's."""
    try:
        return read_implementation(file)
    except InputError as error:
        if not NAME.match(file.stem):
            raise
        backend = check_backend(file.stem, file)
        return [Implementation(file.stem, file.parent.name, file, backend, title=file.stem, problem=str(error))]


def read_implementation(file: str | Path) -> list[Implementation]:
    """The implementations in a file: itself, then its variants. Nothing is imported."""
    file = Path(file)
    if not NAME.match(file.stem):
        raise InputError(file, "not an implementation name", "Use lower-case letters, digits and underscores")
    backend = check_backend(file.stem, file)
    if (backend == "cython") != (file.suffix == ".pyx"):
        raise InputError(
            file, f"{backend} and {file.suffix} do not go together", "A cython_*.pyx is what Cython builds"
        )
    text = reading.read_text(file)
    tree, constants = _read_constants(file, text)
    reading.refuse_truth(file, tree, text)
    if not _defines_entry(file, tree, text):
        raise InputError(file, "defines neither `run` nor `prepare`", "Define one: run(inputs..., outputs...)")
    toolchain = _toolchain(file, backend, constants["TOOLCHAIN"])
    parameters = _parameters(file, constants["PARAMETERS"])
    sources, flags = _sources(file, constants["SOURCES"]), _strings(file, "FLAGS", constants["FLAGS"])
    variants = {None: (), **_variants(file, constants["VARIANTS"])}
    built = bool(sources) or file.suffix == ".pyx"
    if sources and toolchain is None and backends.problem(backend) is None:
        raise InputError(file, f"SOURCES, but nothing is built for {backend}", "Leave SOURCES out, or set TOOLCHAIN")
    if not built and (flags or (len(variants) > 1 and "case.variant" not in text)):
        raise InputError(
            file,
            "FLAGS or VARIANTS, but nothing is built",
            "Name what they are for in SOURCES, have prepare look at case.variant, or leave them out",
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
    own = [_variant(whole, variant, extra, given=constants["ALGORITHM"]) for variant, extra in variants.items()]
    return [*own, *(_run_by(other, each) for other in backends.sharing(backend) for each in own)]


def _variant(whole, variant, extra, *, given):
    """Return a variant of an implementation, with `extra` flags; `given` are the algorithms of its file."""
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
    """Return an implementation as another backend runs it."""
    own, swept = implementation.name, implementation.tuned_by
    name, tuned_by = (n and n.replace(implementation.backend, backend, 1) for n in (own, swept))
    return replace(implementation, name=name, tuned_by=tuned_by, backend=backend)


def _toolchain(file, backend, given):
    """What builds a file's sources: what it says itself, else its backend's."""
    toolchain = given or backends.toolchain(backend)
    if toolchain not in (None, *toolchains.modules()):
        raise InputError(file, f"TOOLCHAIN = {toolchain!r}", f"One of {', '.join(toolchains.modules())}")
    return toolchain


def _sources(file, given):
    """The names in SOURCES, of files beside the implementation."""
    sources = _strings(file, "SOURCES", given)
    for source in sources:
        if not FILE_NAME.match(source) or not (file.parent / source).is_file():
            raise InputError(file, f"SOURCES names {source!r}, which is no file beside it", "Correct SOURCES")
        reading.read_text(file.parent / source)
    if len(set(sources)) < len(sources):
        raise InputError(file, f"SOURCES = {sources!r} names a file twice", "Name it once")
    return sources


def _variants(file, given):
    """{name: further flags} of VARIANTS."""
    for name in given:
        if not isinstance(name, str) or not NAME.match(name):
            raise InputError(file, f"VARIANTS names {name!r}", "Use lower-case letters, digits and underscores")
    return {name: _strings(file, f"VARIANTS[{name!r}]", extra) for name, extra in given.items()}


def _strings(file, constant, values):
    """A constant's strings as a tuple."""
    if not isinstance(values, (tuple, list)) or not all(isinstance(v, str) and v and "\0" not in v for v in values):
        raise InputError(file, f"{constant} = {values!r}", TUPLE)
    return tuple(values)


def _parameters(file, given):
    """{name: values, or None where the configuration has them} of a PARAMETERS constant."""
    if not isinstance(given, dict):
        given = dict.fromkeys(_strings(file, "PARAMETERS", given))
    parameters = {}
    for name, values in given.items():
        if not isinstance(name, str) or not NAME.match(name) or keyword.iskeyword(name) or TAKEN.match(name):
            raise InputError(file, f"PARAMETERS names {name!r}", "Use another name, of a-z, 0-9 and _")
        if name == "threads" and values is not None:
            remedy = 'Thread counts come from the configuration: {"threads": None}'
            raise InputError(file, f"PARAMETERS[{name!r}] = {values!r}", remedy)
        if values is None and name not in FROM_CONFIGURATION:
            remedy = f'Write them out: PARAMETERS = {{"{name}": (1, 2, 4)}}'
            raise InputError(file, f"PARAMETERS names {name!r}, and nothing says which values it takes", remedy)
        parameters[name] = None if values is None else _values(file, name, values)
    return parameters


def _values(file, name, given):
    """The values that a parameter takes: numbers and words, or BlockSizes."""
    where = f"PARAMETERS[{name!r}]"
    if not isinstance(given, (tuple, list)) or not given or len(set(map(repr, given))) < len(given):
        raise InputError(file, f"{where} = {given!r}", "Write a tuple of different values, at least one")
    parse, remedy = _value, "Write finite numbers, or words of letters, digits and _.+-"
    if name == BLOCK_SIZE:
        parse, remedy = _block_size, "Block sizes are whole numbers > 0, or two of them"
    values = []
    for value in given:
        try:
            values.append(parse(value))
        except ValueError:
            raise InputError(file, f"{where} has the value {value!r}", remedy) from None
    return tuple(values)


def _block_size(value):
    if isinstance(value, str):
        raise ValueError("written as a text")
    return BlockSize.parse(value)


def _value(value):
    word = isinstance(value, str) and VALUE.match(value)
    number = isinstance(value, (bool, int, float)) and abs(value) <= specification.MOST
    if not word and not number:
        raise ValueError("neither a number nor a word")
    return value


def count_code_lines(text: str) -> int:
    """Lines that are neither blank nor comment nor docstring (Python, Cython, C, OpenCL alike)."""
    text = reading.DOCSTRING.sub("", reading.BLOCK_COMMENT.sub("", text), count=1)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith(("//", "# ")) for line in lines)


def _read_constants(file, text):
    """(syntax tree, {constant: value}) of an implementation, of a .pyx as far as it is plain Python."""
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
        raise InputError(f"{file}:{line}", f"{late[1]} stands too late", "In a .pyx, write it before the first import")
    return tree, _literals(file, tree)


def _head_of_pyx(text):
    """The part of a .pyx file before its first import: docstring and literal constants are plain Python there."""
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
                    where, f"{name} is not a literal", "Write its value out: it is read, not run"
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


def with_algorithms(implementations: dict[str, Implementation], known: dict[str, str]) -> dict[str, Implementation]:
    """Return a kernel's implementations, each with its algorithm: the first of those `known` where its file names none.
    An unknown one is the `problem` of its implementation."""
    checked = {}
    for name, implementation in implementations.items():
        algorithm = implementation.algorithm or next(iter(known))
        if algorithm not in known:
            remedy = f"Write one of {', '.join(map(repr, known))}, or explain it among the algorithms of kernel.py"
            problem = str(InputError(implementation.path, f"ALGORITHM = {algorithm!r} is unknown", remedy))
            implementation = replace(implementation, problem=problem)
        checked[name] = replace(implementation, algorithm=algorithm)
    return checked


def with_sweeps_checked(implementations: dict[str, Implementation]) -> dict[str, Implementation]:
    """Return a kernel's implementations; each that is tuned by what is not swept, or could change without it, with a
    `problem` and untuned."""
    checked = dict(implementations)
    for name, implementation in implementations.items():
        if implementation.tuned_by is not None:
            try:
                _check_sweep(implementation, implementations)
            except InputError as error:
                checked[name] = replace(implementation, problem=str(error), tuned_by=None)
    return checked


def _check_sweep(implementation, implementations):
    file, swept = implementation.path, implementations.get(implementation.tuned_by)
    what = f"TUNED_BY = {implementation.tuned_by!r}"
    if swept is None or not swept.parameters:
        known = ", ".join(sorted(name for name, other in implementations.items() if other.parameters))
        remedy = f"One of those with PARAMETERS: {known}" if known else "No implementation has PARAMETERS: leave it out"
        raise InputError(file, f"{what}, which is no implementation that is swept", remedy)
    if implementation.parameters:
        raise InputError(file, f"{what}, but it has PARAMETERS of its own", "Leave one of the two out")
    if swept.backend != implementation.backend:
        raise InputError(file, f"{what}, which runs elsewhere", f"Name one of {implementation.backend}'s")
    if swept.path.name not in implementation.sources:
        remedy = f'Add "{swept.path.name}" to SOURCES: whoever changes it changes this one, too'
        raise InputError(file, f"{what}, whose file SOURCES does not name", remedy)
