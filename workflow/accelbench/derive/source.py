"""Take a function out of its file, with the helpers, imports and constants that it needs."""

import ast
import importlib
import inspect
import sys
import textwrap
import types
from dataclasses import dataclass, field
from pathlib import Path

from accelbench.derive.rewriting import IMPORTS, rewrite

PLAIN = (int, float, complex, str, bool, tuple, type(None))  # types of globals that become lines of a derived file
LIBRARIES = ("numpy", "scipy", "math", "functools", "itertools", "operator")  # imported, not copied
FILE_STRIDE = 1_000_000  # line numbers of the second source file begin here, and so on
SILENT = ("print", "logging", "logger", "log", "warnings")  # names whose calls do not change a result
OUTSIDE = {"open", "input", "exec", "eval", "globals", "locals", "breakpoint"}  # functions with side effects
CALLS_OUTSIDE = "calls {}. Do that outside of the function"
WRITES, YIELDS = "writes the {}. Return it instead", "yields. Return an array instead"
REFUSED = {ast.Global: WRITES, ast.Nonlocal: WRITES} | dict.fromkeys((ast.Yield, ast.YieldFrom, ast.Await), YIELDS)
STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS  # flags of a function with *args or **kwargs


class Refusal(Exception):
    """The function, or one contestant, cannot be derived. The message says which line and what would help."""


@dataclass
class Extract:
    """A function and what it needs.

    head       {name: the line that defines it}: imports and constants
    functions  {name: ast.FunctionDef}, the function first; `lineno` is the user's line plus FILE_STRIDE per file
    texts      sources of these functions, as the user wrote them
    files      paths of the source files, the function's own first
    """

    head: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def load(file, name):
    """Import a file; return (its module, the folder that it is imported from, the function of that name).

    Raise Refusal if there is no such function.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise Refusal(f"no such file: {file}. Name the file that defines the function: FILE.py:FUNCTION")
    folder = next(parent for parent in path.parents if not (parent / "__init__.py").is_file())
    sys.path.insert(0, str(folder))
    module = importlib.import_module(".".join(path.relative_to(folder).with_suffix("").parts))
    function = inspect.unwrap(getattr(module, name, None))
    if not isinstance(function, types.FunctionType):
        raise Refusal(
            f"{path.name} has no function {name}. "
            f"It has: {', '.join(dict(inspect.getmembers(module, inspect.isfunction))) or 'none'}"
        )
    return module, folder, function


def place(files, lineno):
    """Return "line 12", or "line 12 of helpers.py", of a line number of an Extract."""
    index, line = divmod(lineno, FILE_STRIDE)
    return f"line {line}" + (f" of {Path(files[index]).name}" if index else "")


def extract(function, folder):
    """Return the Extract of a function; raise Refusal if it cannot become a separate file.

    folder  the folder of the user's modules
    """
    found, todo = Extract(), [function]
    while todo:
        current = todo.pop()
        node = _syntax(current, found)
        found.functions[node.name] = node
        imports, known = _imports(sys.modules[current.__module__]), {**found.head, **found.functions}
        needed = {name: line for name, line in _free_names(node) if name in current.__globals__ and name not in known}
        for name, line in needed.items():
            value, where = current.__globals__[name], place(found.files, line)
            if isinstance(value, types.FunctionType) and value.__module__.partition(".")[0] not in LIBRARIES:
                todo.append(value)
            elif isinstance(value, types.ModuleType) and Path(getattr(value, "__file__", None) or "/").parent == folder:
                raise Refusal(f"{where} uses the module {name}. Write: from {name} import ...")
            elif isinstance(value, PLAIN) or name in imports:
                found.head[name] = f"{name} = {value!r}" if isinstance(value, PLAIN) else imports[name]
            else:
                raise Refusal(f"{where} uses the global {name}, a {type(value).__name__}. Pass it as an argument")
    return found


def _syntax(function, found):
    """Return the ast.FunctionDef with the user's line numbers; raise Refusal for what a compiled function cannot do."""
    code, (lines, first) = function.__code__, inspect.getsourcelines(function)
    file, text = code.co_filename, textwrap.dedent("".join(lines))
    node = ast.parse(text).body[0]
    problems = {
        "is no plain function. Write it with def": not isinstance(node, ast.FunctionDef),
        f"uses {', '.join(code.co_freevars)} from around it. Pass these in": code.co_freevars,
        "takes *args or **kwargs. Name its parameters": code.co_flags & STARRED,
    }
    if problem := next(filter(problems.get, problems), None):
        raise Refusal(f"{function.__name__} {problem}")
    found.files += [file] * (file not in found.files)
    found.texts.append(text)
    ast.increment_lineno(node, first - 1 + found.files.index(file) * FILE_STRIDE)
    for each in ast.walk(node):
        is_outside = isinstance(each, ast.Call) and ast.unparse(each.func) in OUTSIDE
        if problem := (CALLS_OUTSIDE if is_outside else REFUSED.get(type(each))):
            raise Refusal(f"{place(found.files, each.lineno)} {problem.format(ast.unparse(each))}")
    node.decorator_list, node.returns = [], None
    return rewrite(node, _quiet)


def _quiet(node):
    """Leave out docstrings, annotations, logging and printing; write np.empty for np.ndarray."""
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


def _imports(module):
    """Return {name: the line that imports it} of a module's own imports."""
    nodes = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, IMPORTS)]
    return {
        each.asname or each.name.partition(".")[0]: ast.unparse(type(node)(**vars(node) | {"names": [each]}))
        for node in nodes
        for each in node.names
        if not getattr(node, "level", 0)
    }


def _free_names(node):
    """Return [(name, line)] of the names that a function may take from its module, in their order."""
    nodes = list(ast.walk(node))
    used = [each for each in nodes if isinstance(each, ast.Name)]
    local = {each.arg for each in nodes if isinstance(each, ast.arg)}
    local.update(each.id for each in used if isinstance(each.ctx, ast.Store))
    return [(each.id, each.lineno) for each in used if each.id not in local]
