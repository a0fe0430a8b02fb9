"""Backends and toolchains: finding their modules, what is wrong with one that cannot be used, what their code is; and
importing a kernel's files.

Such a module costs what needs it and nothing else: a stand-in takes its place that gives the reason.
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
    """What modules of a kind return, and a checker that names the module whose answer is wrong.

    explained  where a person finds the contract
    answers    {function: (fits(answer, *arguments) or a type, what it returns, in words)}
    owner      what functions belong to, "Session." for example
    """

    def __init__(self, explained, answers, owner=""):
        self.explained, self.answers, self._owner = explained, answers, owner

    def check(self, module, file, attributes):
        """Raise InputError, naming `file`, if an attribute of a module is missing or wrong.

        attributes  {name: (fits(value) or a type, what to write)}; the value of a missing attribute is None
        """
        for name, (expected, remedy) in attributes.items():
            if not _fits(expected, getattr(module, name, None)):
                found = f"= {getattr(module, name)!r:.80}" if hasattr(module, name) else "is missing"
                raise InputError(file, f"{name} {found}", f"{remedy}; {self.explained}")

    def ask(self, module, name, function, /, *arguments):
        """Return function(*arguments), the answer of a module's function `name`; InputError if it is a wrong one."""
        answer, (expected, words) = function(*arguments), self.answers[name]
        if not _fits(expected, answer, *arguments):
            raise self.mistake(module, f"{name} returned {answer!r:.80}", words)
        return answer

    def mistake(self, module, problem, expected):
        """Return the InputError of a wrong answer."""
        return InputError(shown(module.__file__), f"{self._owner}{problem}", f"It returns {expected}; {self.explained}")


def _fits(expected, value, *arguments):
    return expected(value, *arguments) if isinstance(expected, FunctionType) else fits(value, expected)


def find(package, path, *, check, stand_in):
    """Return the modules of the package with this `__path__` for which `check(module, file)` is true.

    A module that cannot be imported, or for which `check` raises an InputError, is replaced by the answer of
    `stand_in(name, text, problem)`. Raise InputError if two modules register one name.
    """
    found = {}
    for entry in pkgutil.iter_modules(path):
        file = Path(entry.module_finder.path, f"{entry.name}.py")
        try:
            module = _import(f"{package}.{entry.name}", file)
            if check(module, shown(file)):
                found[file] = module
        except InputError as error:
            found[file] = stand_in(entry.name, file.read_text(encoding="utf-8", errors="replace"), str(error))
    _check_names(found)
    return list(found.values())


def _check_names(modules):
    """Raise InputError if two of {file: module} register one name."""
    served = {}
    for file, module in modules.items():
        kind, names = ("backend", module.BACKENDS) if hasattr(module, "BACKENDS") else ("toolchain", [module.TOOLCHAIN])
        for name in names:
            other = served.setdefault(name, file)
            if other is not file:
                raise InputError(
                    shown(file),
                    f"serves the {kind} {name!r}, which {shown(other)} serves, too",
                    "Rename it in one of the two files, or remove one",
                )


@cache
def installed_version(distribution):
    """Return the version of an installed distribution, or None. The result is cached for this process."""
    from importlib import metadata  # here as below: workers import this module and need it not

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def shown(file):
    """A module's file as messages name it, wherever accelbench lies: "accelbench/backends/jax.py"."""
    return "/".join(Path(file).parts[-3:])


def place(file, error):
    """`file:line` as `line` tells it, the file as `shown`."""
    return f"{shown(file)}{line(file, error)}"


def line(file, error):
    """ ":12" of the last line in `file` that an exception came through, or ""."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f":{lines[-1]}" if lines else ""


def _import(name, file):
    before = set(sys.modules)
    try:
        module = importlib.import_module(name)
    except SyntaxError as error:
        raise InputError(
            f"{shown(error.filename or file)}:{error.lineno}", f"syntax error: {error.msg}", "Correct the file"
        ) from None
    except (Exception, SystemExit) as error:
        raise InputError(
            place(file, error),
            f"importing it failed: {type(error).__name__}: {error}",
            INSIDE if isinstance(error, ImportError) else "Correct it",
        ) from None
    libraries = {module.partition(".")[0] for module in sys.modules.keys() - before}
    foreign = sorted(libraries - sys.stdlib_module_names - {"accelbench", "numpy"})
    if foreign:
        own = [
            name for name in foreign if re.search(rf"^(import|from) {name}\b", file.read_text(encoding="utf-8"), re.M)
        ]
        raise InputError(shown(file), f"imports {', '.join(own or foreign)} at its top", INSIDE)
    return module


def import_file(file):
    """Import a Python file of a kernel, its folder not on sys.path, as a module called <folder>_<file>.

    The name is the same in every process: what Numba and pickle keep of a module is found by it. No bytecode is cached:
    a file edited twice within a second would be taken for its older self.
    """
    path = Path(file).absolute()
    name = f"{path.parent.name}_{path.stem}"
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path))
    sys.modules[name] = module
    exec(compile(path.read_bytes(), str(file), "exec", dont_inherit=True), module.__dict__)
    return module


IMPORTS = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|c?import[ \t]+([\w., \t]+))", re.M)
FURTHEST = 2000  # files of a module that are read for its digest


def imported_versions(file):
    """Return {module: version, or digest of its files} of what a Python or Cython file imports from elsewhere.

    Modules of the standard library and of this package are left out. A module that no distribution has, or that is
    installed editable, is told by its files, since its version does not change with them.
    """
    several = [word for pair in IMPORTS.findall(Path(file).read_bytes()) for word in b",".join(pair).split(b",")]
    names = {word.split()[0].partition(b".")[0].decode() for word in several if word.strip()}
    return {name: _module_version(name) for name in sorted(names - sys.stdlib_module_names - {"accelbench"})}


def _distributions(module):
    """Return the names of the distributions of a module. Most name it in one file; to read all files takes 0.4 s."""
    from importlib import metadata

    named = [d.name for d in metadata.distributions() if module in (d.read_text("top_level.txt") or "").split()]
    return named or metadata.packages_distributions().get(module, [])


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
    """The digest of what a module, and the modules beside it that it imports, tell Python to do.

    Comments, docstrings, layout, and where a module lies and is imported from make no difference.
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
    """The modules in the folder `package`, itself included, that a syntax tree imports."""
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
                leaf = inside.partition(".")[0]
                file = package / f"{leaf}.py"
                yield file if file.is_file() else package / "__init__.py"


class _WithoutWords(ast.NodeTransformer):
    """Takes docstrings and imports out of a syntax tree."""

    def visit(self, node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return None
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)
