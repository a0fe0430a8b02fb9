"""Take a function out of its file, with the helpers, imports and constants that it needs."""

import ast
import importlib
import inspect
import sys
import textwrap
import types
from dataclasses import dataclass, field
from pathlib import Path

PLAIN = (int, float, complex, str, bool, tuple, type(None))  # types of globals that become lines of a derived file
LIBRARIES = ("numpy", "scipy", "math", "functools", "itertools", "operator")  # whose functions are not taken along
FILE_STRIDE = 1_000_000  # line numbers of the second source file begin here, and so on
OUTSIDE = {"open", "input", "exec", "eval", "globals", "locals", "breakpoint"}  # functions with effects elsewhere


class Refusal(Exception):
    """The function, or one contestant, cannot be derived. The message says which line and what would help."""


@dataclass
class Extract:
    """A function and what it needs.

    head       {name: the line that defines it}: imports and constants
    functions  {name: ast.FunctionDef}, the function first; `lineno` is the user's line plus FILE_STRIDE per file
    files      paths of the source files, the function's own first
    """

    head: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def text(self):
        """Return the source as the user wrote it, without comments."""
        return "\n\n\n".join([*self.head.values(), *map(ast.unparse, reversed(self.functions.values()))])


def load(file, name):
    """Import a file; returns (its module, the folder that it is imported from, the function of that name).

    Refusal if there is no such function.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise Refusal(f"no such file: {file}. Name the file that defines the function: FILE.py:FUNCTION")
    folder = next(parent for parent in path.parents if not (parent / "__init__.py").is_file())
    sys.path.insert(0, str(folder))
    module = importlib.import_module(".".join(path.relative_to(folder).with_suffix("").parts))
    function = inspect.unwrap(getattr(module, name, None))
    if not isinstance(function, types.FunctionType):
        known = [name for name, each in vars(module).items() if inspect.isfunction(each)]
        raise Refusal(f"{path.name} has no function {name}. It has: {', '.join(known) or 'none'}")
    return module, folder, function


def place(files, lineno):
    """Return "line 12", or "line 12 of helpers.py", of a line number of an Extract."""
    index, line = divmod(lineno, FILE_STRIDE)
    return f"line {line}" + (f" of {Path(files[index]).name}" if index else "")


def extract(function, folder):
    """Return the Extract of a function; Refusal for what cannot become a file of its own.

    folder  where the user's modules are
    """
    found, todo = Extract(), [function]
    while todo:
        current = todo.pop()
        node = _syntax(current, found.files)
        _refuse(current, node, found.files)
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


def _syntax(function, files):
    """Return the ast.FunctionDef with the user's line numbers."""
    lines, first = inspect.getsourcelines(function)
    node, file = ast.parse(textwrap.dedent("".join(lines))).body[0], function.__code__.co_filename
    if not isinstance(node, ast.FunctionDef):
        raise Refusal(f"{function.__name__} is no plain function. Write it with def")
    if file not in files:
        files.append(file)
    ast.increment_lineno(node, first - 1 + files.index(file) * FILE_STRIDE)
    node.decorator_list, node.returns = [], None
    return node


def _refuse(function, node, files):
    """Refusal for what a compiled function cannot do, with its line."""
    if function.__closure__:
        raise Refusal(f"{node.name} uses {', '.join(function.__code__.co_freevars)} from around it. Pass these in")
    if node.args.vararg or node.args.kwarg:
        raise Refusal(f"{node.name} takes *args or **kwargs. Name its parameters")
    for each in ast.walk(node):
        where = place(files, getattr(each, "lineno", 0))
        match each:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                raise Refusal(f"{where} writes the global {names[0]}. Return it instead")
            case ast.Yield() | ast.YieldFrom() | ast.Await():
                raise Refusal(f"{where} yields. Return an array instead")
            case ast.Call(func=ast.Name(id=name)) if name in OUTSIDE:
                raise Refusal(f"{where} calls {name}. Do that outside of the function")


def _imports(module):
    """Return {name: the line that imports it} of a module's own imports."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.level == 0):
            for each in node.names:
                name = each.asname or each.name.partition(".")[0]
                found[name] = ast.unparse(type(node)(**vars(node) | {"names": [each]}))
    return found


def _free_names(node):
    """Return [(name, line)] of what a function may take from its module, in their order."""
    nodes = list(ast.walk(node))
    annotations = {name for each in nodes for name in ast.walk(getattr(each, "annotation", None) or ast.Pass())}
    names = [each for each in nodes if isinstance(each, ast.Name) and each not in annotations]
    local = {each.arg for each in nodes if isinstance(each, ast.arg)}
    local.update(each.id for each in names if isinstance(each.ctx, ast.Store))
    return [(each.id, each.lineno) for each in names if each.id not in local]
