"""Copies of a function with the helpers, imports and constants that the function needs."""

import ast
import contextlib
import functools
import importlib
import inspect
import linecache
import sys
import textwrap
import types
from dataclasses import dataclass, field
from pathlib import Path

from accelbench import discovery
from accelbench.derive.rewriting import IMPORTS, parsed, rewrite

PLAIN = (int, float, complex, str, bool, tuple, type(None))  # Types of globals that are copied into a derived file
LIBRARIES = ("numpy", "scipy", "math", "functools", "itertools", "operator")  # Libraries that are imported, not copied
FILE_STRIDE = 1_000_000  # Offset of line numbers between one source file and the next
SILENT = ("print", "logging", "logger", "log", "warnings")  # Names in calls that do not change a result
OUTSIDE = {"open", "input", "exec", "eval", "globals", "locals", "breakpoint"}  # Functions with hidden input or output
REFUSED = {
    ast.Global: "writes the {}. Return it instead",
    ast.Nonlocal: "writes the {}. Return it instead",
    ast.Call: "calls {}. Make this call outside of the function",
}
KINDS = {  # {flags of a function's code: reason of the refusal}
    inspect.CO_VARARGS | inspect.CO_VARKEYWORDS: "takes *args or **kwargs. Name its parameters",
    inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR: "is asynchronous. Write it without async",
    inspect.CO_GENERATOR: "is a generator (yield). Return an array instead",
}


class Refusal(Exception):
    """Refusal to derive implementations from a function.

    The message contains the reason and, if known, the line and a remedy.
    """


@dataclass
class Extract:
    """The user's function with its helpers, imports and constants.

    head       {name of an import or constant: the ast.stmt that defines it}
    functions  {name: ast.FunctionDef}, the user's function first, then helpers. A `lineno` is the line in the file,
               plus FILE_STRIDE times the position of the file in `files`
    texts      sources of these functions, as the user wrote them
    files      paths of the source files, first the file of the user's function
    """

    head: dict[str, ast.stmt] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def main(self):
        """The ast.FunctionDef of the user's function."""
        return next(iter(self.functions.values()))


@contextlib.contextmanager
def users_code(file, problem, remedy):
    """Turn an error in this context into a Refusal with `problem`, the line in `file` and `remedy`."""
    try:
        yield
    except BaseException as error:
        where, words = (
            discovery.line(file, error).replace(":", " in line "),
            str(error).replace("arguments_of_", "") or "no message",
        )
        raise Refusal(f"{problem}{where}: {type(error).__name__}: {words}. {remedy}") from error


def load(file, name):
    """Import a file. Return (module, folder from which Python imports the module, function or bound method).

    name  name of the function, or CLASS.METHOD

    Raise Refusal if there is no such function, or if the file cannot be imported.
    """
    path = Path(file).resolve()
    if not path.is_file() or path.suffix != ".py":
        raise Refusal(f"there is no Python file {file}. Name the file that defines the function: FILE.py:FUNCTION")
    folder = next(parent for parent in path.parents if not (parent / "__init__.py").is_file())
    sys.path.insert(0, str(folder))
    with users_code(path, "importing the file fails", "Correct the file, or install the packages that it imports"):
        module = importlib.import_module(".".join(path.relative_to(folder).with_suffix("").parts))
    if module.__spec__.origin != str(path):
        raise Refusal(f"Python imports {module.__spec__.origin} instead of {path.name}. Rename {path.name}")
    value = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), module)
    function = plain(value)
    if not isinstance(function, (types.FunctionType, types.MethodType)):
        what = f"no {name}" if value is None else f"{name}, which is a {type(value).__name__}, not a function"
        known = ", ".join(dict(inspect.getmembers(module, inspect.isfunction))) or "none"
        raise Refusal(f"{path.name} has {what}. Its functions: {known}")
    is_method = [*inspect.signature(function).parameters][:1] == ["self"]
    return module, folder, function.__get__(module) if is_method else function


def plain(value):
    """Return the function inside a decorator for compiling or caching. Return any other value unchanged."""
    return value if isinstance(value, types.FunctionType) else inspect.unwrap(value)


def place(files, lineno, *, quoted=False):
    """Return "line 12" or "line 12 of helpers.py" for a line number of an Extract, with the line's text if `quoted`."""
    index, line = divmod(lineno, FILE_STRIDE)
    text = f" `{linecache.getline(files[index], line).strip()}`" if quoted else ""
    return f"line {line}{f' of {Path(files[index]).name}' if index else ''}{text}"


def extract(function, folder):
    """Return the Extract of a function. Raise Refusal if the function cannot be copied into a separate file.

    folder  folder of the user's modules
    """
    extraction, todo = Extract(), [function]
    while todo:
        current = todo.pop()
        node = _syntax(current, extraction)
        extraction.functions[node.name] = node
        imports, known = _imports(current, node), {**extraction.head, **extraction.functions}
        needed = {name: line for name, line in _free_names(node) if name in current.__globals__ and name not in known}
        for name, line in needed.items():
            value, where = plain(current.__globals__[name]), place(extraction.files, line)
            if isinstance(value, types.FunctionType) and value.__module__.partition(".")[0] not in LIBRARIES:
                todo.append(value)
            elif isinstance(value, types.ModuleType) and Path(getattr(value, "__file__", None) or "/").parent == folder:
                raise Refusal(f"{where} uses the module {name}. Write: from {name} import ...")
            elif isinstance(value, PLAIN) or name in imports:
                extraction.head[name] = (
                    parsed(f"{name} = {value!r}", node)[0] if isinstance(value, PLAIN) else imports[name]
                )
            else:
                raise Refusal(
                    f"{where} uses the global '{name}' of type {type(value).__name__}. Pass it as an argument"
                )
    return extraction


def _syntax(function, extraction):
    """Return the ast.FunctionDef with the user's line numbers. Raise Refusal for features that cannot be derived."""
    code, (lines, first) = function.__code__, inspect.getsourcelines(function)
    extraction.files += [code.co_filename] * (code.co_filename not in extraction.files)
    offset = first - 1 + extraction.files.index(code.co_filename) * FILE_STRIDE
    problems = [
        *(["is a lambda. Write it with def"] * (function.__name__ == "<lambda>")),
        *(["is decorated. Name the function that the decorator calls"] * hasattr(function, "__wrapped__")),
        *(f"uses {name} of an enclosing function. Pass it as an argument" for name in code.co_freevars),
        *(problem for flags, problem in KINDS.items() if code.co_flags & flags),
    ]
    if problems:
        raise Refusal(f"{place(extraction.files, offset + 1)}: {function.__name__} {problems[0]}")
    extraction.texts.append(textwrap.dedent("".join(lines)))
    node = ast.increment_lineno(ast.parse(extraction.texts[-1]), offset).body[0]
    self_name = (node.args.posonlyargs or node.args.args).pop(0).arg if inspect.ismethod(function) else None
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == self_name:
            raise Refusal(
                f"{place(extraction.files, part.lineno)} uses {self_name}. Pass the needed attributes as arguments"
            )
        is_refused = not isinstance(part, ast.Call) or ast.unparse(part.func) in OUTSIDE
        if is_refused and type(part) in REFUSED:
            raise Refusal(f"{place(extraction.files, part.lineno)} {REFUSED[type(part)].format(ast.unparse(part))}")
    node.decorator_list, node.returns = [], None
    # The name of a method includes its class, since a helper may have the same name as the method.
    node.name = function.__qualname__.rpartition(">.")[2].replace(".", "_")
    return rewrite(node, _quiet)


def _quiet(node):
    """Remove docstrings, annotations, logging and printing; replace np.ndarray by np.empty."""
    match node:
        case ast.arg():
            node.annotation = None
        case ast.AnnAssign():
            return node.value and ast.copy_location(ast.Assign([node.target], node.value), node)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="ndarray") as called):
            called.attr = "empty"
        case ast.Expr(value=ast.Constant()):
            return None
        case ast.Expr(value=ast.Call(func=called)):
            return None if ast.unparse(called).partition(".")[0] in SILENT else node
    return node


def _imports(function, node):
    """Return {name: import statement} of the function's module, without relative imports.

    The line numbers have the same offset as those of `node`, the function's node.
    """
    text, offset = inspect.getsource(sys.modules[function.__module__]), node.lineno // FILE_STRIDE * FILE_STRIDE
    return {
        alias.asname or alias.name.partition(".")[0]: type(known)(**vars(known) | {"names": [alias]})
        for known in ast.walk(ast.increment_lineno(ast.parse(text), offset))
        if isinstance(known, IMPORTS) and not getattr(known, "level", 0)
        for alias in known.names
    }


def _free_names(node):
    """Return (name, line) of each use of a name that a function may take from its module, in the order of ast.walk."""
    nodes = list(ast.walk(node))
    used = [name for name in nodes if isinstance(name, ast.Name)]
    stored = {name.id for name in used if isinstance(name.ctx, ast.Store)}
    local = stored.union(parameter.arg for parameter in nodes if isinstance(parameter, ast.arg))
    return [(name.id, name.lineno) for name in used if name.id not in local]
