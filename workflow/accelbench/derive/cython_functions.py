"""cython_typed: C types for numbers and for arrays that are read and written element by element."""

import ast
import re
from collections import Counter

from accelbench.derive import rewriting, source, writing

CTYPES = {
    "float64": "double",
    "float32": "float",
    "int": "Py_ssize_t",
    "int64": "long long",
    "int32": "int",
    "int16": "short",
    "int8": "signed char",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
}
# Cython infers the types of counters and lengths.
HEAD = "# cython: language_level=3, infer_types=True, boundscheck=False, wraparound=True, cdivision=False\n"
MAKERS = ("np.zeros", "np.empty", "np.ones")
OTHERS = re.compile(r"[<>]|(?<!shape)\[|(?<!int)(?<!len)\(")  # in a value that may be no whole number
IN_INDEX = (ast.Tuple, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)


def drafts(observation):
    """Return the Draft; raise Refusal if no loop uses an array element by element."""
    module = rewriting.tree(observation)
    main = rewriting.functions(module)[observation.name]
    views = _views(main, observation)
    if not views or not any(isinstance(node, (ast.For, ast.While)) for node in ast.walk(main)):
        raise source.Refusal(f"line {main.lineno}: there is no loop over single elements of an array to type")
    assigned = rewriting.names(main.body, ast.Store)
    numbers = [each for each in observation.parameters if not each.ndim and each.name not in assigned]
    types = {each.name: CTYPES[each.dtype] for each in numbers if each.dtype in CTYPES} | views
    rewriting.rewrite(main, lambda node: _plain(node, views))
    declared = ", ".join(f"{name}={each!r}" for name, each in types.items())
    main.decorator_list = [rewriting.expression(f"cython.locals({declared})", main)]
    title, run = f"Cython: {main.name} with typed arrays.", writing.run(observation)
    return [writing.draft("cython_typed", title, module, run, head=HEAD, imports="import cython", suffix=".pyx")]


def _views(main, observation):
    """Return {array: the type of its memoryview} of the arrays that are only used element by element."""
    nodes = list(ast.walk(main))
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    known = {each.name: (each.dtype, each.ndim) for each in observation.arrays if not stored[each.name]}
    for node in main.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[shape, *given], keywords=named) as call
            ) if stored[name] == 1 and ast.unparse(call.func) in MAKERS:
                dtype = [*given, *(each.value for each in named if each.arg == "dtype"), ast.Name("float64")][0]
                known[name] = ast.unparse(dtype).rpartition(".")[2], len(getattr(shape, "elts", [shape]))
    no_index = {each.name for each in observation.arrays}.union(
        each.targets[0].id
        for each in nodes
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and OTHERS.search(ast.unparse(each.value))
    )
    changed = {*stored, *observation.changed}
    return {
        name: f"{'' if name in changed else 'const '}{CTYPES[dtype]}[{':, ' * (ndim - 1)}::1]"
        for name, (dtype, ndim) in known.items()
        if dtype in CTYPES and _is_by_elements(main, name, ndim, no_index=no_index)
    }


def _is_by_elements(main, name, ndim, *, no_index):
    """Return whether an array is used by single elements, and else only made, returned or asked for its shape."""
    kinds, parents = [], {child: node for node in ast.walk(main) for child in ast.iter_child_nodes(node)}
    for node in (node for node in parents if isinstance(node, ast.Name) and node.id == name):
        up, holder = parents[node], parents[parents[node]]
        match up:
            case ast.Attribute(attr="shape"):  # in C, shape[-1] lies before the lengths
                kinds.append(isinstance(holder, (ast.Subscript, ast.Assign)) and "-" not in ast.unparse(holder))
            case ast.Subscript(value=value, slice=index) if value is node:
                is_plain = all(isinstance(each, IN_INDEX) for each in ast.walk(index))
                is_whole = is_plain and no_index.isdisjoint(rewriting.names([index], ast.Load))
                kinds.append("element" if is_whole and len(getattr(index, "elts", [index])) == ndim else False)
            case _:
                is_returned = ast.Return in (type(up), type(holder))
                kinds.append(is_returned or isinstance(node.ctx, ast.Store) or ast.unparse(up) == f"{name}.size")
    return all(kinds) and "element" in kinds


def _plain(node, views):
    """Replace what a memoryview lacks: its shape as a tuple, and itself as a returned array."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=parts)], value=ast.Attribute(attr="shape", value=ast.Name(id=name))
        ) if name in views:
            node.value = rewriting.expression(", ".join(f"{name}.shape[{axis}]" for axis in range(len(parts))), node)
        case ast.Return(value=value) if value:
            arrays = {name: rewriting.expression(f"{name}.base", node) for name in views}
            node.value = rewriting.rewrite(value, lambda each: arrays.get(ast.unparse(each), each))
    return node
