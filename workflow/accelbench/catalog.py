"""Finds kernels and implementations in folders, reading implementations without importing them."""

import ast
import importlib.util
import inspect
import math
import re
import sys
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from accelbench import backends
from accelbench.errors import InputError
from accelbench.kernel import FUNCTIONS, PRESETS, Kernel

NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
CONSTANTS = ("PARAMETERS", "SOURCES", "FLAGS", "VARIANTS", "TOOLCHAIN")
TOOLCHAINS = ("c", "cffi", "cython", "opencl", "cuda")
NATIVE = (".c", ".h", ".pxd", ".cu", ".cuh", ".cl", ".cpp", ".hpp", ".jinja")


@dataclass(frozen=True)
class Implementation:
    """One way of writing a kernel: one file, or one variant of it.

    parameters  {name: values to sweep, or None where the configuration says}; without "threads"
    threads     whether it uses as many threads as it is given
    flags       compiler flags beyond the configured ones
    toolchain   what builds `sources`, or None where there is nothing to build
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

    @property
    def module_name(self):
        return self.path.stem

    @cached_property
    def source_lines(self):
        """Lines of code a person wrote for it: file and native sources, without blank lines, comments, docstring."""
        files = [self.path, *(self.path.parent / s for s in self.sources if s != self.path.name)]
        return sum(count_code_lines(file.read_text(encoding="utf-8")) for file in files if file.is_file())


@dataclass(frozen=True)
class KernelFolder:
    """A kernel: its specification and its implementations, as they lie in one folder."""

    name: str
    path: Path
    spec: Kernel
    functions: dict
    implementations: dict[str, Implementation]

    def call(self, function, **names):
        """Call one of kernel.py's functions with those of `names` it asks for."""
        function = self.functions[function]
        return function(**{name: names[name] for name in inspect.signature(function).parameters})

    def inputs(self, size, dtype, rng, options):
        """{name: array or scalar}, arrays C-contiguous."""
        return self.call("inputs", size=size, dtype=dtype, rng=rng, **options)

    def outputs(self, size, dtype, options):
        return tuple(self.call("outputs", size=size, dtype=dtype, **options))

    def expected(self, size, dtype, options, inputs):
        """The reference result, always a tuple in output order."""
        result = self.call("reference", size=size, dtype=dtype, **options, **inputs)
        return result if isinstance(result, tuple) else (result,)

    def tolerance(self, size, dtype, options, inputs, expected):
        """The largest absolute error allowed, a tuple in output order of scalars or arrays."""
        plain = expected if len(expected) > 1 else expected[0]
        bound = self.call("tolerance", size=size, dtype=dtype, expected=plain, **options, **inputs)
        return bound if isinstance(bound, tuple) else (bound,)

    def cost(self, size, itemsize, options):
        """(bytes read, bytes written, flops) of one call, as floats."""
        read, written = self.call("bytes_moved", size=size, itemsize=itemsize, **options)
        return float(read), float(written), float(self.call("flops", size=size, itemsize=itemsize, **options))

    def native_sources(self):
        """Files beside the implementations that builds may include: .c .h .pxd .cu .cl ..."""
        return sorted(p for p in self.path.iterdir() if p.suffix in NATIVE)


def find(paths):
    """{name: path} of every kernel folder under the folders `paths`, sorted by name. Reads no file."""
    found = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise InputError(path, "kernels_path names no folder", "Create it, or correct kernels_path")
        for folder in sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith((".", "_"))):
            if not NAME.match(folder.name):
                raise InputError(folder, "not a kernel name", "Use lower-case letters, digits and underscores")
            if folder.name in found:
                raise InputError(folder, f"the kernel is also in {found[folder.name]}", "Rename one of the two")
            found[folder.name] = folder
    return dict(sorted(found.items()))


def load(path):
    """The KernelFolder at `path`; InputError where its kernel.py or an implementation cannot be read."""
    return _load(Path(path).resolve())


@cache
def _load(path):
    spec_file = path / "kernel.py"
    if not spec_file.is_file():
        raise InputError(
            path, "no kernel.py in this kernel folder", f"Write one: python -m accelbench new {path.name}, or remove it"
        )
    module = _import(spec_file, f"accelbench_kernel_{path.name}")
    spec = getattr(module, "KERNEL", None)
    if not isinstance(spec, Kernel):
        raise InputError(
            spec_file, "KERNEL = Kernel(...) is missing", "Add it; accelbench/kernel.py says what it holds"
        )
    functions = {name: getattr(module, name, None) for name in FUNCTIONS}
    for name, function in functions.items():
        if not callable(function):
            raise InputError(spec_file, f"the function {name} is missing", "Add it; accelbench/kernel.py explains it")
    implementations = {}
    for file in sorted(path.iterdir()):
        if (
            file.suffix in (".py", ".pyx")
            and file.name != "kernel.py"
            and not file.name.startswith(("_", ".", "test_"))
        ):
            implementations.update({i.name: i for i in read_implementation(file)})
    folder = KernelFolder(path.name, path, spec, functions, implementations)
    _check_specification(folder, spec_file)
    return folder


def read_implementation(file):
    """The implementations in a file: itself, then its variants. Nothing is imported."""
    file = Path(file)
    text = file.read_text(encoding="utf-8")
    if not NAME.match(file.stem):
        raise InputError(file, "not an implementation name", "Use lower-case letters, digits and underscores")
    backend = backends.of(file.stem)
    if backend is None:
        known = ", ".join(sorted(backends.modules()))
        raise InputError(file, "the file name begins with no backend", f"Name it <backend>_<style>; backends: {known}")
    head = _head_of_pyx(text) if file.suffix == ".pyx" else text
    try:
        tree = ast.parse(head)
    except SyntaxError as error:
        raise InputError(f"{file}:{error.lineno}", f"syntax error: {error.msg}", "Correct the file") from None
    title = (ast.get_docstring(tree) or file.stem).strip().splitlines()[0]
    constants = _literals(file, tree)
    if not _defines_entry(file, tree, text):
        raise InputError(file, "defines neither `run` nor `prepare`", "Define one: run(inputs..., outputs...)")
    parameters = constants["PARAMETERS"]
    parameters = dict(parameters) if isinstance(parameters, dict) else dict.fromkeys(parameters)
    toolchain = constants["TOOLCHAIN"] or backends.toolchain(backend)
    sources = tuple(constants["SOURCES"])
    for source in sources:
        if not (file.parent / source).is_file() or Path(source).name != source:
            raise InputError(file, f"SOURCES names {source!r}, which is not beside it", "Correct SOURCES")
    if toolchain is not None and toolchain not in TOOLCHAINS:
        raise InputError(file, f"TOOLCHAIN = {toolchain!r}", f"One of {', '.join(TOOLCHAINS)}")
    threads = "threads" in parameters
    parameters.pop("threads", None)
    common = {
        "kernel": file.parent.name,
        "path": file,
        "backend": backend,
        "title": title,
        "parameters": parameters,
        "sources": sources,
        "toolchain": toolchain if sources or file.suffix == ".pyx" else None,
    }
    flags = tuple(constants["FLAGS"])
    variants = {None: (), **{name: tuple(extra) for name, extra in constants["VARIANTS"].items()}}
    for variant in variants:
        if variant is not None and not NAME.match(variant):
            raise InputError(file, f"VARIANTS names {variant!r}", "Use lower-case letters, digits and underscores")
    return [
        Implementation(
            name=file.stem if variant is None else f"{file.stem}_{variant}",
            flags=flags + extra,
            threads=threads or "-fopenmp" in flags + extra,
            variant=variant,
            **common,
        )
        for variant, extra in variants.items()
    ]


def import_file(file, name):
    """Import the Python file `file` as a module called `name`, its folder not on sys.path.

    No bytecode is cached: a file edited twice within a second would be taken for its older self.
    """
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, file))
    sys.modules[name] = module
    exec(compile(Path(file).read_bytes(), str(file), "exec", dont_inherit=True), module.__dict__)
    return module


def count_code_lines(text):
    """Lines that are neither blank nor comment nor docstring (Python, Cython, C, OpenCL alike)."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r'^\s*"""(.*?)"""', "", text, count=1, flags=re.DOTALL)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith(("//", "# ")) for line in lines)


def _import(file, name):
    try:
        return import_file(file, name)
    except SyntaxError as error:
        raise InputError(f"{error.filename}:{error.lineno}", f"syntax error: {error.msg}", "Correct the file") from None
    except Exception as error:
        raise InputError(file, f"importing it failed: {type(error).__name__}: {error}", "Correct the file") from error


def _head_of_pyx(text):
    """The part of a .pyx file before its first import: docstring and literal constants are plain Python there."""
    match = re.search(r"^(?:cimport|import|from|cdef|cpdef|def|@)\b|^@", text, flags=re.MULTILINE)
    return text[: match.start()] if match else text


def _literals(file, tree):
    values = {"PARAMETERS": (), "SOURCES": (), "FLAGS": (), "VARIANTS": {}, "TOOLCHAIN": None}
    kinds = {"PARAMETERS": (tuple, list, dict), "SOURCES": (tuple, list), "FLAGS": (tuple, list), "VARIANTS": dict}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if name in CONSTANTS:
            try:
                values[name] = ast.literal_eval(node.value)
            except ValueError:
                raise InputError(
                    f"{file}:{node.lineno}", f"{name} is not a literal", "Write its value out: it is read, not run"
                ) from None
            if not isinstance(values[name], kinds.get(name, str)):
                raise InputError(
                    f"{file}:{node.lineno}",
                    f"{name} is a {type(values[name]).__name__}",
                    'Write a tuple of strings, ("like this",); VARIANTS is a dictionary of them',
                )
    return values


def _defines_entry(file, tree, text):
    if file.suffix == ".pyx":
        return re.search(r"^(?:def|cpdef)\b[^\n(]*\b(?:run|prepare)\s*\(|^run\s*=", text, flags=re.MULTILINE)
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(t.id for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(a.asname or a.name for a in node.names)
    return names & {"run", "prepare"}


def _check_specification(folder, file):
    spec = folder.spec

    def wrong(what, remedy):
        raise InputError(file, what, remedy)

    if set(spec.sizes) != set(PRESETS):
        wrong(f"sizes has the presets {sorted(spec.sizes)}", f"Give sizes for each of {', '.join(PRESETS)}")
    for preset, sizes in spec.sizes.items():
        if not sizes or any(not isinstance(s, int) or s < 0 for s in sizes):
            wrong(f"sizes[{preset!r}] = {sizes!r}", "Give at least one whole number >= 0")
    if not spec.dtypes:
        wrong("dtypes is empty", "Name at least one")
    if spec.baseline not in folder.implementations:
        have = ", ".join(folder.implementations) or "none"
        wrong(f"the baseline {spec.baseline!r} is not in this folder", f"Implementations here: {have}")
    if spec.location not in ("device", "host"):
        wrong(f"location = {spec.location!r}", 'Either "device" or "host"')
    for name, value in spec.options.items():
        if not NAME.match(name) or not isinstance(value, (int, float)) or not math.isfinite(value):
            wrong(f"options[{name!r}] = {value!r}", "Options are named numbers")
    for name, function in folder.functions.items():
        known = {"size", "dtype", "itemsize", "rng", "expected", *spec.options}
        for parameter in inspect.signature(function).parameters.values():
            named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            if not named or (name in ("inputs", "outputs", "bytes_moved", "flops") and parameter.name not in known):
                wrong(
                    f"{name} asks for {parameter.name!r}",
                    f"It can ask for: {', '.join(sorted(known))}, each by its name",
                )
