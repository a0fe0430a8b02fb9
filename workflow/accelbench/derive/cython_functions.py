"""cython_typed: C types for numbers, counters and arrays that are read and written element by element."""

import ast
from collections import Counter

from accelbench.derive import rewriting, writing
from accelbench.derive.source import Refusal
from accelbench.derive.writing import Draft

CTYPES = {
    "float64": "double",
    "float32": "float",
    "int64": "long long",
    "int32": "int",
    "int16": "short",
    "int8": "signed char",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
}
NUMBERS = {"int": "long long", "float64": "double", "float32": "float"}
HEAD = "# cython: language_level=3, boundscheck=False, wraparound=True, cdivision=False\n"
MAKERS = ("np.zeros", "np.empty", "np.ones")
IN_INDEX = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)


def drafts(observation):
    """Return {contestant: its Drafts}; Refusal if no array is gone through element by element."""
    module = rewriting.tree(observation)
    main = rewriting.functions(module)[observation.name]
    types = Types(main, observation)
    if not types.counters or not (types.views or types.made):
        lines = [node.lineno for node in main.body]
        raise Refusal(f"line {lines[0]}: there is no loop over single elements of an array for Cython to type")
    body, lines = _text(module, main, types)
    title = f"Cython: {observation.name} with typed arrays and counters."
    text = writing.module(body, writing.run(observation))
    return {"cython_typed": [Draft("cython_typed", title, text, lines, ".pyx", head=HEAD)]}


class Types:
    """The C types of a function's names.

    views     {parameter: its memoryview type}; numbers: {parameter: its C type}
    made      {array that the function makes: its memoryview type}
    counters  names of loop counters
    """

    def __init__(self, main, observation):
        self._main, self._parents = main, {c: p for p in ast.walk(main) for c in ast.iter_child_nodes(p)}
        self._count = Counter(
            each.id for each in ast.walk(main) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        )
        ranges = [n for n in ast.walk(main) if isinstance(n, ast.For) and ast.unparse(n.iter).startswith("range(")]
        self.counters = {n.target.id for n in ranges if isinstance(n.target, ast.Name)}
        numbers = {p.name: p.dtype for p in observation.parameters if p.kind != "array" and not self._count[p.name]}
        self.numbers = {name: NUMBERS[dtype] for name, dtype in numbers.items() if dtype in NUMBERS}
        self._whole = self.counters | {name for name, dtype in numbers.items() if dtype == "int"} | self._lengths()
        self.views, self.made = {}, {}
        for each in observation.arrays:
            if each.dtype in CTYPES and self._by_elements(each.name, each.ndim):
                const = "" if each.name in observation.changed else "const "
                self.views[each.name] = const + _view(each.dtype, each.ndim)
        for node in main.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[shape, *_]) as call):
                    dtype, ndim = _dtype(call), len(getattr(shape, "elts", [shape]))
                    known = ast.unparse(call.func) in MAKERS and dtype in CTYPES and self._count[name] == 1
                    if known and self._by_elements(name, ndim, made=True):
                        self.made[name] = _view(dtype, ndim)

    def _lengths(self):
        """Return the names that only ever hold a length: n = x.shape[0]."""
        found, others = set(), set()
        for node in ast.walk(self._main):
            targets = getattr(node, "targets", [node.target] if isinstance(node, ast.AugAssign) else [])
            value = ast.unparse(node.value) if isinstance(node, ast.Assign) else ""
            end = value.rpartition(".")[2]
            is_length = end in ("size", "shape") or end.startswith("shape[") or value.startswith("len(")
            (found if is_length else others).update(rewriting.stores(targets))
        return found - others

    def _by_elements(self, name, ndim, *, made=False):
        """Whether every use of an array is one element by whole numbers, or its shape; there is at least one."""
        uses = [node for node in ast.walk(self._main) if isinstance(node, ast.Name) and node.id == name]
        kinds = [self._use(node, ndim, made) for node in uses]
        return None not in kinds and "element" in kinds

    def _use(self, node, ndim, made):
        """Return how an array is used in one place: "element", "other", or None if a memoryview cannot serve there."""
        up = self._parents[node]
        holder = self._parents[up]
        match up:
            case ast.Attribute(attr="size"):
                return "other"
            case ast.Attribute(attr="shape"):
                indexed = isinstance(holder, ast.Subscript) and "-" not in ast.unparse(holder.slice)
                unpacked = isinstance(holder, ast.Assign) and isinstance(holder.targets[0], ast.Tuple)
                return "other" if indexed or unpacked else None  # shape[-1] would be before its lengths
            case ast.Subscript(value=value, slice=index) if value is node:
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                plain = all(isinstance(each, IN_INDEX) for part in parts for each in ast.walk(part))
                return "element" if plain and len(parts) == ndim and rewriting.loads(parts) <= self._whole else None
            case ast.Return() | ast.Assign() if made:
                return "other"
        return None


def _dtype(call):
    """Return the dtype of np.zeros(shape, dtype) as text."""
    given = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "dtype")]
    return ast.unparse(given[0]).rpartition(".")[2] if given else "float64"


def _view(dtype, ndim):
    return f"{CTYPES[dtype]}[{', '.join([':'] * (ndim - 1) + ['::1'])}]"


def _text(module, main, types):
    """Return (body, lines) of the .pyx: the plain text with declarations in it."""
    for node in ast.walk(main):
        if isinstance(node, ast.Assign) and ast.unparse(node.value).removesuffix(".shape") in types.views:
            lengths = (f"{ast.unparse(node.value)}[{axis}]" for axis in range(len(node.targets[0].elts)))
            node.value = rewriting.expression(", ".join(lengths), node.value)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in types.made:
            node.value.id += "_view"
    plain, lines = rewriting.text(module)
    declared = types.views | types.numbers
    signature = ", ".join(f"{declared.get(each.arg, 'object')} {each.arg}" for each in main.args.args)
    declarations = [f"    cdef Py_ssize_t {', '.join(sorted(types.counters))}"]
    declarations += [f"    cdef {view} {name}_view" for name, view in types.made.items()]
    out, found, inside = [], {}, False
    for number, line in enumerate(plain.splitlines(), 1):
        if line.startswith("def "):
            inside = line.startswith(f"def {main.name}(")
        is_main = inside and line.startswith("def ")
        out += [f"def {main.name}({signature}):", *declarations] if is_main else [line]
        if number in lines:
            found[len(out)] = lines[number]
        made = line.removeprefix("    ").partition(" = ")[0]
        out += [f"    {made}_view = {made}"] * (inside and made in types.made)
    return "\n".join(out), found
