"""Normal form of a function: the same computation, with arrays and numbers as arguments and arrays as results."""

import ast
from collections import Counter
from itertools import takewhile

import numpy as np

from accelbench.derive import rewriting, source

# Names with a meaning in the files of a kernel folder
RESERVED = {"run", "prepare", "convert", "inputs", "outputs", "reference", "results", "tolerance", "arguments", "np"}
NUMBERS = "biufc"  # Kinds of dtypes that can be measured, by NumPy's letters


def normal_form(extract, given):
    """Return (module, paths, notes) of the normal form of an Extract.

    given   tuple of arguments, one for each parameter of the function

    module  ast.Module of imports, constants and helpers, with the function at the end
    paths   {parameter of the normal form: its path in `given`}, such as "given[1]['A']"
    notes   descriptions of the changes, for the user
    """
    main, *helpers = extract.functions.values()
    paths, notes = {}, []
    names = [parameter.arg for parameter in (*main.args.posonlyargs, *main.args.args, *main.args.kwonlyargs)]
    for index, (name, value) in enumerate(zip(names, given, strict=True)):
        if isinstance(value, (dict, tuple, list)) and not is_numeric(value):
            paths |= _parts(main, name, f"given[{index}]", files=extract.files)
            notes.append(f"the parts of {name} became arguments")
        else:
            paths[name] = f"given[{index}]"
    before = ast.unparse(main)
    _make_returns_plain(main)
    notes += ["the returned dictionary or list became arrays"] * (ast.unparse(main) != before)
    plain = {  # {parameter: its default}, only for defaults that are plain constants or names of constants
        name: value
        for name, value in zip(names[::-1], (main.args.defaults + main.args.kw_defaults)[::-1], strict=False)
        if isinstance(
            extract.head.get(getattr(value, "id", ""), getattr(value, "operand", value)), (ast.Assign, ast.Constant)
        )
    }
    defaults = [plain[name] for name in takewhile(plain.__contains__, reversed(paths))][::-1]
    main.args = ast.arguments([], [*map(ast.arg, paths)], kwonlyargs=[], kw_defaults=[], defaults=defaults)
    taken = RESERVED.intersection(extract.functions)
    for node in (node for function in (main, *helpers) for node in ast.walk(function)):
        vars(node).update({key: f"{vars(node)[key]}_" for key in ("id", "name") if vars(node).get(key) in taken})
    module = ast.Module([*extract.head.values(), *helpers, main], [])
    return ast.fix_missing_locations(module), paths, notes


def is_numeric(value):
    """Return whether a value stays one argument: a number, an array or list of numbers, or a flat tuple.

    A flat tuple contains no array, list, tuple or dictionary. The normal form gets a list as an array, and a tuple as a
    constant.
    """
    if isinstance(value, tuple):
        return not any(isinstance(part, (np.ndarray, list, tuple, dict)) for part in value)
    try:
        return np.asarray(value).dtype.kind in NUMBERS
    except ValueError:
        return False


def _parts(main, name, path, *, files):
    """Replace the parameter `name`, a dictionary, list or tuple, by a parameter for each part that the function reads.

    Return {new parameter: its path}. Raise Refusal if the function uses `name` as a whole.
    """
    parts = {}

    def part(key, like):
        new = f"{name}_{key}"
        parts[new] = f"{path}[{key!r}]"
        return ast.copy_location(ast.Name(new, ast.Load()), like)

    def change(node):
        match node:
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="get"), args=[ast.Constant(value=key), *_])
                | ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=key), ctx=ast.Load())
            ) if owner == name and f"_{key}".isidentifier():
                return part(key, node)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Name(id=owner)) if owner == name:
                pairs = enumerate(targets)
                return [ast.copy_location(ast.Assign([target], part(key, node)), node) for key, target in pairs]
        return node

    rewriting.rewrite(main, change)
    for node in ast.walk(main):
        if isinstance(node, ast.Name) and node.id == name:
            what = (
                f"iterates over {name}, a dictionary, list or tuple. Use each entry by its key, or pass an array"
                if any(node in ast.walk(loop.iter) for loop in ast.walk(main) if hasattr(loop, "iter"))
                else f"passes on or changes {name}, a dictionary, list or tuple. Pass its entries, and return new ones"
            )
            raise source.Refusal(f"{source.place(files, node.lineno)} {what}")
    return parts


def _make_returns_plain(main):
    """Make the function return a dictionary's values as a tuple, and arrays instead of lists from `tolist`."""
    uses = Counter(node.id for node in ast.walk(main) if isinstance(node, ast.Name))
    returned = [ast.unparse(node.value or node) for node in ast.walk(main) if isinstance(node, ast.Return)]
    for node in ast.walk(main):
        match node:
            case ast.Return(value=ast.expr() as value):
                node.value = rewriting.rewrite(value, _plain)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as value):
                node.value = rewriting.rewrite(value, _plain) if uses[name] == 2 and name in returned else value


def _plain(node):
    match node:
        case ast.Dict(values=values):
            return values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
        case ast.Call(func=ast.Attribute(value=value, attr="tolist")):
            return value
    return node
