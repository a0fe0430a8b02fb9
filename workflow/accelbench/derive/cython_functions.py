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
NUMBERS = {"int": "long long", "float": "double", "float64": "double"}
HEAD = "# cython: language_level=3, boundscheck=False, wraparound=True, cdivision=False\n"
MAKERS = ("np.zeros", "np.empty", "np.ones")


def drafts(observation):
    """Return {contestant: its Drafts}; Refusal if no array is gone through element by element."""
    module = rewriting.tree(observation)
    main = rewriting.functions(module)[observation.name]
    types = Types(main, observation)
    if not types.counters or not (types.views or types.local_views):
        line = main.body[0].lineno
        raise Refusal(f"{line}: there is no loop over single elements of an array for Cython to type")
    body, lines = _text(module, main, types)
    title = f"Cython: {observation.name} with typed arrays and counters."
    run = writing.run(observation)
    text = writing.module(body, run)
    return {"cython_typed": [Draft("cython_typed", title, text, lines, ".pyx", head=HEAD)]}


class Types:
    """The C types of a function's names.

    views        {parameter: its memoryview type}; numbers: {parameter: its C type}
    local_views  {array that the function makes: its memoryview type}
    counters     names of loop counters
    """

    def __init__(self, main, observation):
        self._main, self._parents = main, {c: p for p in ast.walk(main) for c in ast.iter_child_nodes(p)}
        ranges = [n for n in ast.walk(main) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
        self.counters = {n.target.id for n in ranges if ast.unparse(n.iter).startswith("range(")}
        stored = set(rewriting.stores(main.body))
        constants = [p for p in observation.parameters if p.kind != "array" and p.name not in stored]
        self.numbers = {each.name: NUMBERS[each.dtype] for each in constants if each.dtype in NUMBERS}
        self._whole = self.counters | {each.name for each in constants if each.dtype == "int"}
        self._whole |= self._lengths()
        self.views, self.local_views = {}, {}
        for each in observation.arrays:
            if each.dtype in CTYPES and self._by_elements(each.name, each.ndim):
                const = "" if each.name in observation.changed else "const "
                self.views[each.name] = const + _view(each.dtype, each.ndim)
        for name, (dtype, ndim) in self._made().items():
            if dtype in CTYPES and self._by_elements(name, ndim, made=True):
                self.local_views[name] = _view(dtype, ndim)

    def _lengths(self):
        """Return the names that only ever hold a length: n = x.shape[0]."""
        found, others = set(), set()
        for node in ast.walk(self._main):
            targets = getattr(node, "targets", [node.target] if isinstance(node, ast.AugAssign) else [])
            value = ast.unparse(node.value) if isinstance(node, ast.Assign) else ""
            shape = value.rpartition(".")[2]
            is_length = shape in ("size", "shape") or shape.startswith("shape[") or value.startswith("len(")
            (found if is_length else others).update(rewriting.stores(targets))
        return found - others

    def _by_elements(self, name, ndim, *, made=False):
        """Whether every use of an array is one element by whole numbers, or its shape; there is at least one."""
        uses = 0
        for node in ast.walk(self._main):
            if not (isinstance(node, ast.Name) and node.id == name):
                continue
            up = self._parents[node]
            if isinstance(up, ast.Attribute) and up.attr in ("shape", "size"):
                holder = self._parents[up]
                if isinstance(holder, ast.Subscript) and "-" in ast.unparse(holder.slice):
                    return False  # shape[-1] of a memoryview reads before its lengths
                unpacked = isinstance(holder, ast.Assign) and isinstance(holder.targets[0], ast.Tuple)
                if up.attr == "shape" and not unpacked and not isinstance(holder, ast.Subscript):
                    return False
            elif made and (isinstance(up, ast.Return) or (isinstance(up, ast.Assign) and node in up.targets)):
                continue
            elif not (isinstance(up, ast.Subscript) and up.value is node and self._is_element(up.slice, ndim)):
                return False
            else:
                uses += 1
        return uses > 0

    def _is_element(self, index, ndim):
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        plain = all(isinstance(n, (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load))
                    for part in parts for n in ast.walk(part))  # fmt: skip
        return plain and len(parts) == ndim and not rewriting.loads(parts) - self._whole

    def _made(self):
        """Return {name: (dtype, dimensions)} of arrays that np.zeros and the like make, once each."""
        names = [n for n in ast.walk(self._main) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        found, count = {}, Counter(each.id for each in names)
        for node in self._main.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                target, made = node.targets[0], node.value
                if isinstance(target, ast.Name) and count[target.id] == 1 and ast.unparse(made.func) in MAKERS:
                    shape = made.args[0]
                    dtypes = [*made.args[1:], *(k.value for k in made.keywords if k.arg == "dtype")]
                    dtype = ast.unparse(dtypes[0]).rpartition(".")[2] if dtypes else "float64"
                    found[target.id] = dtype, len(shape.elts) if isinstance(shape, (ast.Tuple, ast.List)) else 1
        return found


def _view(dtype, ndim):
    return f"{CTYPES[dtype]}[{', '.join([':'] * (ndim - 1) + ['::1'])}]"


def _text(module, main, types):
    """Return (body, lines) of the .pyx: the plain text with declarations in it."""
    for node in ast.walk(main):
        if isinstance(node, ast.Assign) and ast.unparse(node.value).removesuffix(".shape") in types.views:
            lengths = (f"{ast.unparse(node.value)}[{axis}]" for axis in range(len(node.targets[0].elts)))
            node.value = rewriting.expression(", ".join(lengths), node.value)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in types.local_views:
            node.value.id += "_view"
    plain, lines = rewriting.text(module)
    declared = {**types.views, **types.numbers}
    signature = ", ".join(f"{declared.get(a.arg, 'object')} {a.arg}" for a in main.args.args)
    locals_ = [f"    cdef Py_ssize_t {', '.join(sorted(types.counters))}"]
    locals_ += [f"    cdef {view} {name}_view" for name, view in types.local_views.items()]
    out, found, inside = [], {}, False
    for number, line in enumerate(plain.splitlines(), 1):
        if line.startswith("def "):
            inside = line.startswith(f"def {main.name}(")
            out += [f"def {main.name}({signature}):", *locals_] if inside else [line]
        else:
            out.append(line)
        if number in lines:
            found[len(out)] = lines[number]
        made = line.strip().partition(" = ")[0]
        if inside and made in types.local_views and line.startswith(f"    {made} = "):
            out.append(f"    {made}_view = {made}")
    return "\n".join(out), found
