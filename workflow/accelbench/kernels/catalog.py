"""Finds kernels and implementations in folders, reading implementations without importing them."""

import ast
import inspect
import keyword
import math
import re
import sys
import traceback
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from accelbench import backends, discovery, toolchains
from accelbench.errors import InputError, one_line
from accelbench.kernel import FUNCTIONS, OPTIONAL_FUNCTIONS, Kernel
from accelbench.kernels import reading, specification, trial
from accelbench.model.names import NAME
from accelbench.model.parameters import BlockSize

FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*\Z")  # what no compiler takes for an option
VALUE = re.compile(r"[A-Za-z0-9_.+-]+\Z")  # of a parameter, as case names and the shell can carry it
# Names that mean something else where parameters are given: in `case`, and in the statement that is timed.
TAKEN = re.compile(r"(size|dtype|options|device|queue|stream|artifact|tuned|prepared|run|a\d+)\Z")
FROM_CONFIGURATION = ("block_size", "threads")  # the parameters whose values are not the implementation's business
CONSTANTS = ("PARAMETERS", "SOURCES", "FLAGS", "VARIANTS", "TOOLCHAIN", "TUNED_BY")


@dataclass(frozen=True)
class Implementation:
    """One way of writing a kernel: one file, or one variant of it.

    parameters  {name: values to sweep, or None where the configuration says}; without "threads"
    threads     whether it uses as many threads as it is given
    flags       compiler flags beyond the configured ones
    toolchain   what builds `sources`, or None where there is nothing to build
    tuned_by    the implementation whose parameters it takes, those that a sweep found best, or None
    note        what is to be known of its results, or None
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
    tuned_by: str | None = None
    note: str | None = None

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

    @property
    def file(self):
        return self.path / "kernel.py"

    def call(self, function, **names):
        """Call one of kernel.py's functions with those of `names` it asks for.

        InputError where it asks for what there is not, or fails; MemoryError stays what it is.
        """
        wanted = inspect.signature(self.functions[function]).parameters
        for name in wanted.keys() - names.keys():
            known = ", ".join(sorted(names))
            raise InputError(self.file, f"{function} asks for {name!r}", f"It can ask for: {known}, each by its name")
        sys.audit(trial.CALL, function)
        try:
            return self.functions[function](**{name: names[name] for name in wanted})
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            plain = {k: v for k, v in names.items() if isinstance(v, (int, float, str)) and k != "itemsize"}
            arguments = ", ".join(f"{name}={value!r}" for name, value in plain.items())
            what = f"{function} fails for {arguments}: {type(error).__name__}: {error}"
            remedy = "Correct it, or the sizes and options asked for"
            raise InputError(_place(self.file, error), what, remedy) from error

    def inputs(self, size, dtype, rng, options, exact=False):
        """{name: array or scalar}, arrays C-contiguous; of kernel.py's exact_inputs where wanted and there."""
        function = "exact_inputs" if exact and "exact_inputs" in self.functions else "inputs"
        return specification.check_inputs(self.file, self.call(function, size=size, dtype=dtype, rng=rng, **options))

    def outputs(self, size, dtype, options):
        return specification.check_outputs(self.file, self.call("outputs", size=size, dtype=dtype, **options))

    def expected(self, size, dtype, options, inputs):
        """The reference result, always a tuple in output order."""
        result = self.call("reference", size=size, dtype=dtype, **options, **inputs)
        return specification.check_expected(self.file, self.outputs(size, dtype, options), result)

    def tolerance(self, size, dtype, options, inputs, expected, exact=False):
        """The largest absolute error allowed, a tuple in output order of scalars or arrays; `exact` as in inputs."""
        outputs = self.outputs(size, dtype, options)
        exact = exact and "exact_inputs" in self.functions
        if exact and "exact_tolerance" not in self.functions:
            return (0.0,) * len(outputs)
        function, plain = "exact_tolerance" if exact else "tolerance", expected if len(expected) > 1 else expected[0]
        bound = self.call(function, size=size, dtype=dtype, expected=plain, **options, **inputs)
        return specification.check_tolerance(self.file, outputs, expected, bound)

    def judged(self, size, dtype, options, inputs, results, again):
        """{what: (error, tolerance)} of an implementation's results, {output: array}, and of those of a second call."""
        names = {**inputs, **results, "size": size, "dtype": dtype, "again": again, **options}
        return specification.check_judged(self.file, self.call("judged", **names))

    def asks_for(self, function, name):
        """Whether kernel.py has the function, and with a parameter of this name."""
        return function in self.functions and name in inspect.signature(self.functions[function]).parameters

    def cost(self, size, itemsize, options):
        """(bytes read, bytes written, flops) of one call, as floats."""
        moved = self.call("bytes_moved", size=size, itemsize=itemsize, **options)
        flops = self.call("flops", size=size, itemsize=itemsize, **options)
        return specification.check_cost(self.file, moved, flops)

    def held(self, size, dtype, options):
        """Bytes of all arrays of a problem; where kernel.py says nothing else, those that are read and its outputs."""
        if "bytes_held" in self.functions:
            held = self.call("bytes_held", size=size, itemsize=np.dtype(dtype).itemsize, **options)
            return specification.check_amount(self.file, "bytes_held", held)
        read, written, _ = self.cost(size, np.dtype(dtype).itemsize, options)
        outputs = self.outputs(size, dtype, options)
        return read + max(written, sum(math.prod(o.shape) * np.dtype(o.dtype).itemsize for o in outputs))

    def try_out(self, options):
        """Call each function but the reference and its tolerance, at a size that costs nothing, for each dtype.

        InputError where one fails or returns what cannot be used.
        """
        for dtype in self.spec.dtypes:
            size = specification.TRIAL_SIZE
            inputs = self.inputs(size, dtype, np.random.default_rng(0), options)
            exact = self.inputs(size, dtype, np.random.default_rng(0), options, exact=True)
            specification.check_alike(self.file, inputs, exact)
            specification.check_together(self.file, inputs, self.outputs(size, dtype, options), options)
            self.cost(size, np.dtype(dtype).itemsize, options)
            self.held(size, dtype, options)

    def try_reference(self):
        """The same for the reference, its tolerance and what is judged besides, with the options' own values."""
        size, options = specification.TRIAL_SIZE, self.spec.options
        for dtype in self.spec.dtypes:
            inputs = self.inputs(size, dtype, np.random.default_rng(0), options)
            expected = self.expected(size, dtype, options, inputs)
            for exact in (False, True):
                self.tolerance(size, dtype, options, inputs, expected, exact)
            if "judged" in self.functions:
                outputs = self.outputs(size, dtype, options)
                results = {o.name: np.asarray(e, o.dtype) for o, e in zip(outputs, expected, strict=True)}
                self.judged(size, dtype, options, inputs, results, results)

    def native_sources(self):
        """Files beside the implementations that SOURCES name or builds may include: .c .h .pxd .cu .cl ..."""
        named = {source for implementation in self.implementations.values() for source in implementation.sources}
        suffixes = toolchains.suffixes()
        return sorted(p for p in self.path.iterdir() if p.suffix in suffixes or p.name in named)


def find(paths):
    """{name: path} of every kernel folder under the folders `paths`, sorted by name. Reads no file."""
    found = {}
    for path in map(Path, paths):
        for folder in _subfolders(path):
            if not NAME.match(folder.name):
                raise InputError(folder, "not a kernel name", "Use lower-case letters, digits and underscores")
            if folder.name in found:
                raise InputError(folder, f"the kernel is also in {found[folder.name]}", "Rename one of the two")
            found[folder.name] = folder
    return dict(sorted(found.items()))


def _subfolders(path):
    try:
        return sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            path, f"kernels_path names no folder: {reason}", "Create it, or correct kernels_path"
        ) from None


def load(path):
    """The KernelFolder at `path`; InputError where its kernel.py or an implementation cannot be used."""
    return _load(Path(path).resolve())


def load_each(paths):
    """[KernelFolder, or the InputError that says why it cannot be used] of each of `paths`."""
    tried = trial.problems([(Path(path).resolve(), None) for path in paths], _examine)
    return [problem or _loaded_or_problem(path) for path, problem in zip(paths, tried, strict=True)]


def _loaded_or_problem(path):
    try:
        return load(path)
    except InputError as error:
        return error


def try_options(folder, options):
    """InputError where functions of a kernel.py cannot be used with these options."""
    (problem,) = trial.problems([(folder.path, options)], _examine)
    if problem:
        raise problem


def _examine(path, options):
    """Load a kernel folder and try its functions, with `options` or, where None, with their own values and all."""
    folder = _read(path)
    folder.try_out(folder.spec.options if options is None else options)
    if options is None:
        folder.try_reference()
        itemsize = np.dtype(folder.spec.dtypes[0]).itemsize
        folder.cost(max(folder.spec.sizes["default"]), itemsize, folder.spec.options)


@cache
def load_specification(path):
    """The KernelFolder at `path` without its implementations, for a worker, whose coordinator has checked all of it."""
    path = Path(path)
    return KernelFolder(path.name, path, *_read_specification(path), {})


def _read_specification(path):
    """(KERNEL, {name: function}) of a kernel folder."""
    spec_file = path / "kernel.py"
    if not spec_file.is_file():
        raise InputError(
            path,
            "no kernel.py in this kernel folder",
            f"Write one: python -m accelbench new {path.name}; or move the folder away, or correct kernels_path",
        )
    read_text(spec_file)
    module = _import(spec_file)
    spec = getattr(module, "KERNEL", None)
    if not isinstance(spec, Kernel):
        raise InputError(
            spec_file, "KERNEL = Kernel(...) is missing", "Add it; accelbench/kernel.py says what it holds"
        )
    functions = {name: getattr(module, name, None) for name in FUNCTIONS}
    for name, function in functions.items():
        if not callable(function):
            raise InputError(spec_file, f"the function {name} is missing", "Add it; accelbench/kernel.py explains it")
    return spec, functions | {name: getattr(module, name) for name in OPTIONAL_FUNCTIONS if hasattr(module, name)}


@cache
def _load(path):
    (problem,) = trial.problems([(path, None)], _examine)
    if problem:
        raise problem
    return _read(path)


def _read(path):
    """The KernelFolder at `path`, of whose functions none is called."""
    spec_file = path / "kernel.py"
    spec, functions = _read_specification(path)
    implementations = {}
    for file in sorted(path.iterdir()):
        if (
            file.suffix in (".py", ".pyx")
            and file.name != "kernel.py"
            and not file.name.startswith(("_", ".", "test_"))
            and not file.is_dir()
        ):
            for implementation in read_implementation(file):
                if implementation.name in implementations:
                    other = implementations[implementation.name].path.name
                    raise InputError(file, f"{implementation.name!r} is in {other} too", "Rename one of the two")
                implementations[implementation.name] = implementation
    for implementation in implementations.values():
        _check_tuned_by(implementation, implementations)
    specification.check_declaration(spec_file, spec, functions, implementations)
    return KernelFolder(path.name, path, spec, functions, implementations)


def _check_tuned_by(implementation, implementations):
    """InputError where an implementation is tuned by what is not swept, or could change without it."""
    if implementation.tuned_by is None:
        return
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


def read_text(file):
    """The text of a source; InputError where it cannot be read or is not plain UTF-8."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(file, f"cannot be read: {error.strerror}", "Correct the file, or remove it") from None
    except UnicodeDecodeError as error:
        raise InputError(file, f"is not UTF-8 text at byte {error.start}", "Save it as UTF-8") from None
    if text.startswith("\ufeff"):
        raise InputError(file, "begins with a byte-order mark", "Save it as UTF-8 without one")
    return text


def check_backend(name, where):
    """The backend of an implementation called `name`; InputError where it begins with none, or goes no further."""
    backend = backends.of(name)
    if backend is None or not name.removeprefix(backend).strip("_"):
        known = ", ".join(sorted(backends.modules()))
        what = "the name begins with no backend" if backend is None else "the name is a backend's alone"
        raise InputError(where, what, f"Name it <backend>_<style>; backends: {known}")
    return backend


def read_implementation(file):
    """The implementations in a file: itself, then its variants. Nothing is imported."""
    file = Path(file)
    if not NAME.match(file.stem):
        raise InputError(file, "not an implementation name", "Use lower-case letters, digits and underscores")
    backend = check_backend(file.stem, file)
    if (backend == "cython") != (file.suffix == ".pyx"):
        raise InputError(
            file, f"{backend} and {file.suffix} do not go together", "A cython_*.pyx is what Cython builds"
        )
    text = read_text(file)
    tree, constants = _read_constants(file, text)
    reading.refuse_truth(file, tree, text)
    lines = (ast.get_docstring(tree) or "").strip().splitlines()
    if not _defines_entry(file, tree, text):
        raise InputError(file, "defines neither `run` nor `prepare`", "Define one: run(inputs..., outputs...)")
    toolchain = constants["TOOLCHAIN"] or backends.toolchain(backend)
    if toolchain not in (None, *toolchains.modules()):
        raise InputError(file, f"TOOLCHAIN = {toolchain!r}", f"One of {', '.join(toolchains.modules())}")
    parameters = _parameters(file, constants["PARAMETERS"])
    sources = _strings(file, "SOURCES", constants["SOURCES"])
    for source in sources:
        if not FILE_NAME.match(source) or not (file.parent / source).is_file():
            raise InputError(file, f"SOURCES names {source!r}, which is no file beside it", "Correct SOURCES")
        read_text(file.parent / source)
    if len(set(sources)) < len(sources):
        raise InputError(file, f"SOURCES = {sources!r} names a file twice", "Name it once")
    flags = _strings(file, "FLAGS", constants["FLAGS"])
    variants = {None: ()}
    for variant, extra in constants["VARIANTS"].items():
        if not isinstance(variant, str) or not NAME.match(variant):
            raise InputError(file, f"VARIANTS names {variant!r}", "Use lower-case letters, digits and underscores")
        variants[variant] = _strings(file, f"VARIANTS[{variant!r}]", extra)
    built = bool(sources) or file.suffix == ".pyx"
    if sources and toolchain is None and backends.problem(backend) is None:
        raise InputError(file, f"SOURCES, but nothing is built for {backend}", "Leave SOURCES out, or set TOOLCHAIN")
    if not built and (flags or len(variants) > 1):
        what = "FLAGS or VARIANTS, but nothing is built"
        raise InputError(file, what, "Name what they are for in SOURCES, or leave them out")
    threads = "threads" in parameters
    parameters.pop("threads", None)
    common = {
        "kernel": file.parent.name,
        "path": file,
        "backend": backend,
        "title": one_line(lines[0]) if lines else file.stem,
        "parameters": parameters,
        "sources": sources,
        "toolchain": toolchain if built else None,
        "tuned_by": constants["TUNED_BY"],
        "note": reading.note(tree, text, backend),
    }
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


def _strings(file, constant, values):
    """A constant's strings as a tuple."""
    if not isinstance(values, (tuple, list)) or not all(isinstance(v, str) and v and "\0" not in v for v in values):
        raise InputError(file, f"{constant} = {values!r}", 'Write a tuple of strings, ("like this",)')
    return tuple(values)


def _parameters(file, given):
    """{name: values, or None where the configuration has them} of a PARAMETERS constant."""
    if not isinstance(given, dict):
        given = dict.fromkeys(_strings(file, "PARAMETERS", given))
    for name, values in given.items():
        where = f"PARAMETERS[{name!r}]"
        if not isinstance(name, str) or not NAME.match(name) or keyword.iskeyword(name) or TAKEN.match(name):
            raise InputError(file, f"PARAMETERS names {name!r}", "Use another name, of a-z, 0-9 and _")
        if name == "threads" and values is not None:
            raise InputError(
                file, f"{where} = {values!r}", 'Thread counts come from the configuration: {"threads": None}'
            )
        if values is None and name in FROM_CONFIGURATION:
            continue
        if values is None:
            remedy = f'Write them out: PARAMETERS = {{"{name}": (1, 2, 4)}}'
            raise InputError(file, f"PARAMETERS names {name!r}, and nothing says which values it takes", remedy)
        if not isinstance(values, (tuple, list)) or not values or len(set(map(repr, values))) < len(values):
            raise InputError(file, f"{where} = {values!r}", "Write a tuple of different values, at least one")
        allowed = _is_block_size if name == "block_size" else _is_value
        for value in values:
            if not allowed(value):
                remedy = (
                    "Block sizes are whole numbers > 0, or two of them"
                    if name == "block_size"
                    else ("Write finite numbers, or words of letters, digits and _.+-")
                )
                raise InputError(file, f"{where} has the value {value!r}", remedy)
    return dict(given)


def _is_block_size(value):
    try:
        BlockSize.parse(value)
    except ValueError:
        return False
    return not isinstance(value, str)


def _is_value(value):
    if isinstance(value, str):
        return bool(VALUE.match(value))
    return (
        isinstance(value, bool)
        or specification.whole(value, -specification.MOST)
        or (isinstance(value, float) and math.isfinite(value))
    )


def count_code_lines(text):
    """Lines that are neither blank nor comment nor docstring (Python, Cython, C, OpenCL alike)."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r'^\s*"""(.*?)"""', "", text, count=1, flags=re.DOTALL)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith(("//", "# ")) for line in lines)


def _import(file):
    try:
        return discovery.import_file(file)
    except SyntaxError as error:
        where = f"{error.filename or file}:{error.lineno}" if error.lineno else file
        raise InputError(where, f"syntax error: {error.msg}", "Correct the file") from None
    except (Exception, SystemExit) as error:
        what = f"importing it failed: {type(error).__name__}: {error}"
        raise InputError(_place(file, error), what, "Correct the file") from error


def _place(file, error):
    """`file:line` of the line in `file` from which an exception came, or `file` alone."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(file)]
    return f"{file}:{lines[-1]}" if lines else str(file)


def _head_of_pyx(text):
    """The part of a .pyx file before its first import: docstring and literal constants are plain Python there."""
    docstring = re.match(r'''(?:[ \t]*(?:#[^\n]*)?\n)*[rRuU]?("""|\'\'\').*?\1''', text, flags=re.DOTALL)
    pattern = re.compile(r"^(?:cimport|import|from|cdef|cpdef|def)\b|^@", flags=re.MULTILINE)
    match = pattern.search(text, docstring.end() if docstring else 0)
    return text[: match.start()] if match else text


def _read_constants(file, text):
    """(syntax tree, {constant: value}) of an implementation, of a .pyx as far as it is plain Python."""
    head = _head_of_pyx(text) if file.suffix == ".pyx" else text
    try:
        tree = ast.parse(head)
    except SyntaxError as error:
        where = f"{file}:{error.lineno}" if error.lineno else file
        raise InputError(where, f"syntax error: {error.msg}", "Correct the file") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(file, f"cannot be parsed: {str(error) or type(error).__name__}", "Correct the file") from None
    late = re.search(rf"^({'|'.join(CONSTANTS)})\s*=", text[len(head) :], flags=re.MULTILINE)
    if late:
        line = text[: len(head) + late.start()].count("\n") + 1
        raise InputError(f"{file}:{line}", f"{late[1]} stands too late", "In a .pyx, write it before the first import")
    return tree, _literals(file, tree)


def _literals(file, tree):
    values = {"PARAMETERS": (), "SOURCES": (), "FLAGS": (), "VARIANTS": {}, "TOOLCHAIN": None, "TUNED_BY": None}
    kinds = {"PARAMETERS": (tuple, list, dict), "SOURCES": (tuple, list), "FLAGS": (tuple, list), "VARIANTS": dict}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name) and target.id in CONSTANTS]
        for name in names:
            where = f"{file}:{node.lineno}"
            try:
                if not isinstance(node, (ast.Assign, ast.AnnAssign)):
                    raise ValueError("assembled from parts")
                values[name] = ast.literal_eval(node.value)
            except (ValueError, TypeError):
                raise InputError(
                    where, f"{name} is not a literal", "Write its value out: it is read, not run"
                ) from None
            if not isinstance(values[name], kinds.get(name, str)):
                remedy = {
                    "VARIANTS": 'Write a dictionary, {"fast_math": ("-ffast-math",)}',
                    "TOOLCHAIN": f"One of {', '.join(toolchains.modules())}, as a string",
                    "TUNED_BY": "Write the name of the implementation that is swept, as a string",
                }.get(name, 'Write a tuple of strings, ("like this",)')
                raise InputError(where, f"{name} is a {type(values[name]).__name__}", remedy)
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
