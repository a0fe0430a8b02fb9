"""The normal form of a function: the same computation on arrays and numbers, an array or a tuple of arrays out."""

import ast
from dataclasses import dataclass

import numpy as np

from accelbench.derive.rewriting import rewrite
from accelbench.derive.source import Refusal, place

# Names that the files of a kernel folder have for themselves.
RESERVED = {"run", "prepare", "convert", "inputs", "outputs", "reference", "results", "tolerance", "arguments", "np"}
SILENT = ("print", "logging", "logger", "log", "warnings")  # names whose calls do not change a result


@dataclass
class Normal:
    """The normal form of an Extract.

    module  an ast.Module: imports, constants, helpers, the function
    name    of the function
    paths   {parameter: where it stands in the tuple of given arguments}, such as "given[1]['A']"
    notes   what was changed, for the user
    """

    module: ast.Module
    name: str
    paths: dict[str, str]
    notes: list[str]


def normal_form(extract, given):
    """Return the Normal of an Extract for the given arguments (a tuple, a value for each parameter)."""
    for node in extract.functions.values():
        rewrite(node, _quiet)
    main, notes = extract.main, []
    names = [each.arg for each in (*main.args.posonlyargs, *main.args.args, *main.args.kwonlyargs)]
    paths = {name: f"given[{index}]" for index, name in enumerate(names)}
    for name, value in zip(names, given, strict=True):
        parts = None
        if isinstance(value, dict):
            parts = _entries(extract, name, paths[name])
        elif isinstance(value, (tuple, list)) and not _is_numeric(value):
            parts = _parts(main, name, paths[name])
        if parts is not None:
            notes.append(f"the parts of {name} became arguments")
            paths = {new: path for old in paths for new, path in (parts if old == name else {old: paths[old]}).items()}
    if _make_returns_plain(main):
        notes.append("the returned dictionary or list became arrays")
    main.args = ast.arguments([], [ast.arg(name) for name in paths], kwonlyargs=[], kw_defaults=[], defaults=[])
    functions = [*(node for name, node in extract.functions.items() if name != extract.name), main]
    used = {each.id for node in functions for each in ast.walk(node) if isinstance(each, ast.Name)}
    for each in (each for node in functions for each in ast.walk(node)):
        if isinstance(each, ast.Name) and each.id in RESERVED.intersection(extract.functions):
            each.id += "_"
        elif isinstance(each, ast.FunctionDef) and each.name in RESERVED:
            each.name += "_"
    head = [ast.parse(line).body[0] for name, line in extract.head.items() if name in used]
    return Normal(ast.fix_missing_locations(ast.Module([*head, *functions], [])), main.name, paths, notes)


def _is_numeric(value):
    """Whether a list or tuple stays one value: a list becomes an array, a tuple of plain numbers a constant."""
    if isinstance(value, tuple):
        return not any(isinstance(part, (np.ndarray, list, tuple, dict)) for part in value)
    try:
        return np.asarray(value).dtype.kind in "biufc"
    except ValueError:
        return False


def _quiet(node):
    """Leave out docstrings, annotations, logging and printing."""
    match node:
        case ast.arg():
            node.annotation = None
        case ast.AnnAssign():
            return node.value and ast.copy_location(ast.Assign([node.target], node.value), node)
        case ast.Expr(value=ast.Constant()):
            return None
        case ast.Expr(value=ast.Call(func=called)):
            return None if ast.unparse(called).partition(".")[0] in SILENT else node
    return node


def _entries(extract, name, path):
    """Make parameters of the entries of the dictionary `name` that the function reads: {parameter: path}."""
    keys = {}

    def change(node):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="get"), args=[ast.Constant(value=key), *_]):
                found = owner, key
            case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=key), ctx=ast.Load()):
                found = owner, key
            case _:
                return node
        if found[0] != name or not str(found[1]).isidentifier():
            return node
        keys[f"{name}_{key}"] = f"{path}[{key!r}]"
        return ast.copy_location(ast.Name(f"{name}_{key}", ast.Load()), node)

    rewrite(extract.main, change)
    for node in ast.walk(extract.main):
        if isinstance(node, ast.Name) and node.id == name:
            where = place(extract.files, node.lineno)
            raise Refusal(f"{where} passes the dictionary {name} on, or changes it. Pass its entries, return new ones")
    return keys


def _parts(main, name, path):
    """Make parameters of the parts of the tuple `name`, which a statement of the function unpacks."""
    for statement in main.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.value) == name:
            (target,) = statement.targets
            if isinstance(target, ast.Tuple) and all(isinstance(part, ast.Name) for part in target.elts):
                main.body[main.body.index(statement)] = ast.copy_location(ast.Pass(), statement)
                return {part.id: f"{path}[{index}]" for index, part in enumerate(target.elts)}
    raise Refusal(f"the argument {name} holds arrays of several shapes. Pass each as an argument of its own")


def _make_returns_plain(main):
    """Return a dictionary's values as a tuple, and arrays in place of what `tolist` makes; whether there were any."""
    assigned = {}
    for node in ast.walk(main):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).append(node)
    changed = False
    for node in [each for each in ast.walk(main) if isinstance(each, ast.Return) and each.value is not None]:
        known = assigned.get(ast.unparse(node.value), ())
        value = known[0].value if len(known) == 1 else node.value
        plain = _plain(value)
        if plain is not value:
            node.value, changed = plain, True
            main.body = [statement for statement in main.body if statement not in known] or [node]
    return changed


def _plain(node):
    if isinstance(node, (ast.Dict, ast.Tuple)):
        values = node.values if isinstance(node, ast.Dict) else node.elts
        plain = list(map(_plain, values))
        if isinstance(node, ast.Dict) or any(one is not other for one, other in zip(plain, values, strict=True)):
            return plain[0] if len(plain) == 1 else ast.Tuple(plain, ast.Load())
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tolist":
        return node.func.value
    return node
