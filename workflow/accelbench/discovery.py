"""Discovery of backends' and toolchains' modules, import of a kernel's files, and digests of code.

If a module cannot be used, a stand-in with the reason replaces it. Only cases that need the module are affected.
"""

import ast
import contextlib
import importlib.util
import pkgutil
import re
import sys
import traceback
from functools import cache
from pathlib import Path
from types import FunctionType

from accelbench.errors import InputError
from accelbench.model.limits import fits

INSIDE = "Every command imports this module: import its libraries inside the functions that use them"


class Contract:
    """Checks of the attributes of modules, such as backends, and of their functions' return values.

    explained  words that say where the contract is described
    answers    {function: (fits(answer, *arguments) or a type, description of the return value)}
    owner      prefix of the functions' names in messages, such as "Session."
    """

    def __init__(self, explained, answers, owner=""):
        self.explained, self.answers, self._owner = explained, answers, owner

    def check(self, module, file, attributes):
        """Raise InputError, which names `file`, if an attribute of a module is missing or invalid.

        attributes  {name: (fits(value) or a type, remedy)}; the value of a missing attribute is None
        """
        for name, (expected, remedy) in attributes.items():
            if not _fits(expected, getattr(module, name, None)):
                problem = f"= {getattr(module, name)!r:.80}" if hasattr(module, name) else "is missing"
                raise InputError(file, f"{name} {problem}", f"{remedy}; {self.explained}")

    def ask(self, module, name, function, /, *arguments):
        """Call a module's function `name` and return its value. Raise InputError if the value is invalid."""
        answer, (expected, words) = function(*arguments), self.answers[name]
        if not _fits(expected, answer, *arguments):
            raise self.mistake(module, f"{name} returned {answer!r:.80}", words)
        return answer

    def mistake(self, module, problem, expected):
        """Return the InputError for an invalid return value."""
        return InputError(shown(module.__file__), f"{self._owner}{problem}", f"It returns {expected}; {self.explained}")


def _fits(expected, value, *arguments):
    return expected(value, *arguments) if isinstance(expected, FunctionType) else fits(value, expected)


def find(package, path, *, check, stand_in):
    """Return the modules of a package, whose `__path__` is `path`, for which `check(module, file)` is true.

    A module that cannot be imported, or for which `check` raises an InputError, is replaced by the result of
    `stand_in(name, text, problem)`. Raise InputError if two modules register the same name.
    """
    modules, served = {}, {}
    for entry in pkgutil.iter_modules(path):
        file = Path(entry.module_finder.path, f"{entry.name}.py")
        try:
            module = _import(f"{package}.{entry.name}", file)
            if check(module, shown(file)):
                modules[file] = module
        except InputError as error:
            modules[file] = stand_in(entry.name, file.read_text(encoding="utf-8", errors="replace"), str(error))
    for file, module in modules.items():
        kind, names = ("backend", module.BACKENDS) if hasattr(module, "BACKENDS") else ("toolchain", [module.TOOLCHAIN])
        for name in names:
            other = served.setdefault(name, file)
            if other is not file:
                raise InputError(
                    shown(file),
                    f"serves the {kind} {name!r}, which {shown(other)} serves, too",
                    "Rename it in one of the two files, or remove one of the files",
                )
    return list(modules.values())


@cache
def installed_version(distribution):
    """Return the version of an installed distribution, or None."""
    from importlib import metadata  # lazy import, also below: workers import this module but do not need metadata

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def shown(file):
    """Return the name of a module's file in messages, its last three parts: "accelbench/backends/jax.py"."""
    return "/".join(Path(file).parts[-3:])


def place(file, error):
    """Return "file:line" of an exception for messages."""
    return f"{shown(file)}{line(file, error)}"


def line(file, error):
    """Return ":12" for the last line of `file` in the traceback of an exception, or ""."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f":{lines[-1]}" if lines else ""


@contextlib.contextmanager
def refusing(file, shown=str, advice="Correct the file"):
    """Turn any error of importing `file` in this context into an InputError.

    shown   shown(file) returns the name of the file in messages
    advice  remedy of an ImportError
    """
    try:
        yield
    except SyntaxError as error:
        raise InputError(
            f"{shown(error.filename or file)}:{error.lineno}" if error.lineno else shown(file),
            f"syntax error: {error.msg}",
            "Correct the file",
        ) from None
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{shown(file)}{line(file, error)}",
            f"importing it failed: {type(error).__name__}: {error}",
            advice if isinstance(error, ImportError) else "Correct the file",
        ) from error


def _import(name, file):
    before = set(sys.modules)
    with refusing(file, shown, INSIDE):
        module = importlib.import_module(name)
    libraries = {module.partition(".")[0] for module in sys.modules.keys() - before}
    foreign = sorted(libraries - sys.stdlib_module_names - {"accelbench", "numpy"})
    if foreign:
        at_top = [
            name for name in foreign if re.search(rf"^(import|from) {name}\b", file.read_text(encoding="utf-8"), re.M)
        ]
        raise InputError(shown(file), f"imports {', '.join(at_top or foreign)} at its top", INSIDE)
    return module


def import_file(file):
    """Import a Python file of a kernel as a module called <folder>_<file>. The folder is not put on sys.path.

    The module has the same name in every process, because Numba and pickle find functions by the name of their module.
    Bytecode is not cached: its time stamp has whole seconds, so Python could miss an edit soon after another edit.
    """
    path = Path(file).absolute()
    name = f"{path.parent.name}_{path.stem}"
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path))
    sys.modules[name] = module
    exec(compile(path.read_bytes(), str(file), "exec", dont_inherit=True), module.__dict__)
    return module


IMPORTS = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|c?import[ \t]+([\w., \t]+))", re.M)
FURTHEST = 2000  # Maximum number of files in the digest of a module


def imported_versions(file):
    """Return {module: version, or digest of its files} of the modules that a Python or Cython file imports.

    Modules of the standard library and of this package are left out. The value is a digest if the module belongs
    to no distribution, or to an editable distribution, whose version does not change with its files. The value is None
    if the module is missing or has no files.
    """
    several = [word for pair in IMPORTS.findall(Path(file).read_bytes()) for word in b",".join(pair).split(b",")]
    names = {word.split()[0].partition(b".")[0].decode() for word in several if word.strip()}
    return {name: _module_version(name) for name in sorted(names - sys.stdlib_module_names - {"accelbench"})}


def _distributions(module):
    """Return the distributions whose top_level.txt names a module; if there are none, those that list its files."""
    from importlib import metadata

    # For a missing module, metadata.packages_distributions() would take six times as long.
    named = [d.name for d in metadata.distributions() if module in (d.read_text("top_level.txt") or "").split()]
    file = re.compile(rf"^{module}[/.]", re.M)
    return named or [d.name for d in metadata.distributions() if file.search(d.read_text("RECORD") or "")]


@cache
def _module_version(name):
    from importlib import metadata

    from accelbench.store import files

    distributions = [name] if installed_version(name) else _distributions(name)
    if distributions and "editable" not in (metadata.distribution(distributions[0]).read_text("direct_url.json") or ""):
        return installed_version(distributions[0])
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(name)
        places = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
        paths = sorted(path for place in places for path in place.rglob("*") if path.suffix in (".py", ".so", ".pyx"))
        if spec and spec.has_location and not places:
            paths = [Path(spec.origin)]
        if paths:
            return files.digest(*(part for path in paths[:FURTHEST] for part in (path.name, path.read_bytes())))
    return None


@cache
def code_digest(file):
    """Return the digest of the statements of a module and of the modules in its folder that it imports.

    Indirect imports count. Comments, docstrings, layout, import statements and paths are not part of the digest.
    """
    from accelbench.store import files

    trees, unread = {}, [Path(file)]
    while unread:
        module = unread.pop()
        if module not in trees:
            tree = ast.parse(module.read_bytes())
            unread += _imported(tree, module.parent)
            trees[module] = ast.dump(_WithoutWords().visit(tree))
    return files.digest(*sorted(trees.values()))


def _imported(tree, package):
    """Yield the files in the folder `package` that a syntax tree imports: modules, or the package's __init__.py."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = f"{package.name}.{node.module or ''}" if node.level else node.module
            names = [f"{origin.rstrip('.')}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            above, _, inside = f".{name}.".rpartition(f".{package.name}.")
            if above or inside:
                file = package / f"{inside.partition('.')[0]}.py"
                yield file if file.is_file() else package / "__init__.py"


class _WithoutWords(ast.NodeTransformer):
    """Transformer that removes docstrings and imports from a syntax tree."""

    def visit(self, node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return None
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)
