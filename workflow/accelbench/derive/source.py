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
    functions  {name: ast.FunctionDef}, helpers among them; `lineno` is the user's line plus FILE_STRIDE per file
    files      names of the source files, the function's own first
    name       of the function
    """

    name: str
    head: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    @property
    def main(self):
        return self.functions[self.name]

    def text(self):
        """Return the source as the user wrote it, without comments."""
        return "\n\n\n".join([*self.head.values(), *map(ast.unparse, reversed(self.functions.values()))])


def load(file, dotted):
    """Import a file; returns (its module, the folder that it is imported from, the function `dotted` in it).

    Refusal if there is no such function.
    """
    path = Path(file).resolve()
    folder = next(parent for parent in path.parents if not (parent / "__init__.py").is_file())
    sys.path.insert(0, str(folder))
    module = found = importlib.import_module(".".join(path.relative_to(folder).with_suffix("").parts))
    for part in dotted.split("."):
        found = getattr(found, part, None)
    found = inspect.unwrap(found) if callable(found) else found
    if not isinstance(found, types.FunctionType):
        known = [name for name, each in vars(module).items() if inspect.isfunction(each)]
        raise Refusal(f"{path.name} has no function {dotted}. It has: {', '.join(known) or 'none'}")
    return module, folder, found


def place(files, lineno):
    """Return "line 12", or "line 12 of helpers.py", of a line number of an Extract."""
    index, line = divmod(lineno, FILE_STRIDE)
    return f"line {line}" + (f" of {files[index]}" if index else "")


def extract(function, folder, *, is_method=False):
    """Return the Extract of a function; Refusal for what cannot become a file of its own.

    folder  where the user's modules are
    """
    found, todo = Extract(function.__name__), [function]
    while todo:
        current = todo.pop()
        node = _syntax(current, found.files)
        if is_method and current is function:
            own = node.args.args.pop(0).arg
            if used := [each.lineno for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == own]:
                raise Refusal(f"line {used[0]} uses {own}. Pass what it needs as arguments of a plain function")
        _refuse(current, node, found.files)
        found.functions[node.name] = node
        imports = _imports(sys.modules[current.__module__])
        for name, line in _free_names(node):
            value = current.__globals__.get(name, found)
            if value is found or name in found.head or name in found.functions:
                continue
            if isinstance(value, types.FunctionType) and value.__module__.partition(".")[0] not in LIBRARIES:
                todo.append(value)
                continue
            definition = f"{name} = {value!r}" if isinstance(value, PLAIN) else imports.get(name)
            where = place(found.files, line)
            if definition is None:
                raise Refusal(f"{where} uses the global {name}, a {type(value).__name__}. Pass it as an argument")
            if isinstance(value, types.ModuleType) and Path(getattr(value, "__file__", None) or "/").parent == folder:
                raise Refusal(f"{where} uses the module {name}. Write: from {name} import ...")
            found.head[name] = definition
    return found


def _syntax(function, files):
    """Return the ast.FunctionDef with the user's line numbers."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise Refusal(f"the source of {function.__name__} cannot be read. Write it as a function in a file") from None
    node, name = ast.parse(textwrap.dedent("".join(lines))).body[0], Path(function.__code__.co_filename).name
    if not isinstance(node, ast.FunctionDef):
        raise Refusal(f"{function.__name__} is no plain function. Write it with def")
    if name not in files:
        files.append(name)
    ast.increment_lineno(node, first - 1 + files.index(name) * FILE_STRIDE)
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
                start = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
                named = f"{each.name} as {each.asname}" if each.asname else each.name
                found[each.asname or each.name.partition(".")[0]] = f"{start}import {named}"
    return found


def _free_names(node):
    """Return [(name, line)] of what a function may take from its module, in their order."""
    annotations = [each.annotation for each in ast.walk(node) if isinstance(each, (ast.arg, ast.AnnAssign))]
    skipped = {id(name) for each in annotations if each is not None for name in ast.walk(each)}
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and id(each) not in skipped]
    local = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    local |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    return [(each.id, each.lineno) for each in names if each.id not in local]
