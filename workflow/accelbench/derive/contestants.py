"""Drafts (texts of derived implementations before their check) for each library except JAX.

All drafts are made from the normal form: the user's function with arrays and numbers as arguments, and arrays as
results. JAX needs larger changes, which jax_functions makes.
"""

import ast
import copy
import re
from collections import Counter

from accelbench.derive import loops, rewriting, source, writing

LAST_AXIS = """
@numba.njit{options}
def _{name}_last(x):
    rows = np.ascontiguousarray(x).reshape((-1, x.shape[-1]))
    found = np.empty((rows.shape[0], 1), np.asarray(np.{name}(np.ones(1, x.dtype))).dtype)
    for i in numba.prange(rows.shape[0]):
        found[i, 0] = np.{name}(rows[i])
    return found.reshape(x.shape[:-1] + (1,))
"""
REDUCTIONS = "max|min|sum|mean|prod|any|all|std|var|median"
MEAN = "(np.sum({0}, axis=0) / {0}.shape[0])"
# (pattern of a call that Numba refuses, an equivalent expression). In a pattern, _ stands for any argument
CURES = (
    (rf"(.+)\.({REDUCTIONS})\((axis=.+)\)", "np.{1}({0}, {2})"),
    (r"np\.mean\(_, axis=0\)", MEAN),
    (r"np\.std\(_, axis=0\)", f"np.sqrt(np.sum(({{0}} - {MEAN}) ** 2, axis=0) / {{0}}.shape[0])"),
    (rf"np\.({REDUCTIONS})\(_, axis=-1, keepdims=True\)", "_{1}_last({0})"),
    (
        rf"np\.({REDUCTIONS})\(_, axis=([01]), keepdims=True\)",
        "np.swapaxes(_{1}_last(np.swapaxes({0}, {2}, -1)), {2}, -1)",
    ),
    (rf"np\.(?!sum)({REDUCTIONS})\(_, axis=-1\)", "np.{1}({0}, axis=-1, keepdims=True)[..., 0]"),
    (rf"np\.(?!sum)({REDUCTIONS})\(_, axis=0\)", "np.{1}({0}, axis=0, keepdims=True)[0]"),
    (rf"np\.(?!sum)({REDUCTIONS})\(_, axis=1\)", "np.{1}({0}, axis=1, keepdims=True)[:, 0]"),
    (r"np\.linspace\(_, _, _, dtype=[\w.]+\)", "np.linspace({0}, {1}, {2})"),
    (r"np\.(?:as)?array\(_\)", "{0}.copy()"),
    (r"np\.sort\(_, kind='\w+'\)", "np.sort({0})"),
    (r"np\.argsort\(_, kind='stable'\)", "np.argsort({0}, kind='mergesort')"),
    (r"(np\.\w+)\.outer\(_, _\)", "{2}(np.expand_dims({0}, 1), np.expand_dims({1}, 0))"),
)
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
# With infer_types, Cython infers the types of counters and lengths.
HEAD = "# cython: language_level=3, infer_types=True, boundscheck=False, wraparound=True, cdivision=False\n"
NEW_ARRAYS = re.compile(r"\bnp\.(zeros|empty|ones|full|arange|linspace|eye|identity|array|indices)\b")
# Pattern of operations that can return other values than integers
OTHERS = re.compile(r"[<>]|(?<!shape)\[|(?<!int)(?<!len)\(")
IN_INDEX = (ast.Tuple, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)
PYTHRAN_TYPES = {"int": "int", "bool": "bool", "str": "str", "NoneType": "None"}


def numba(observation, *, parallel=False):
    """Return the Drafts of Numba: the decorated normal form, then a form without the calls that Numba refuses.

    parallel  whether threads share the work. If so, drafts with parallel loops come first
    """
    variants = [rewriting.tree(observation), rewriting.rewrite(rewriting.tree(observation), _cured)]
    shared = [loops.share(copy.deepcopy(variant)) for variant in variants] if parallel else []
    name, options, threads = (
        ("numba_parallel", '(error_model="numpy", parallel=True)', [writing.THREADS])
        if parallel
        else ("numba_njit", '(error_model="numpy")', [])
    )
    drafts, run, title = [], writing.run(observation), f"Numba: {observation.name}, compiled."
    for text, module in {ast.unparse(variant): variant for variant in shared + variants}.items():
        helpers = [LAST_AXIS.format(name=r, options=options) for r in REDUCTIONS.split("|") if f"_{r}_last(" in text]
        for function in rewriting.functions(module).values():
            function.decorator_list = [rewriting.expression(f"numba.njit{options}", function)]
        numpy = ["import numpy as np"] * (helpers != [] and "import numpy as np" not in text)
        drafts.append(
            writing.draft(name, title, module, *helpers, run, imports="\n".join(["import numba", *numpy, *threads]))
        )
    return drafts


def _cured(node):
    """Return an equivalent expression for a call that Numba refuses. Return any other node unchanged."""
    if isinstance(node, ast.Call) and not any(isinstance(argument, ast.List) for argument in node.args):
        form = ast.unparse(ast.Call(node.func, [ast.Name("_")] * len(node.args), node.keywords))
        for pattern, words in CURES:
            if match := re.fullmatch(pattern, form):
                given = [text if text.isidentifier() else f"({text})" for text in map(ast.unparse, node.args)]
                return rewriting.rewrite(rewriting.expression(words.format(*given, *match.groups()), node), _cured)
    return node


def cython(observation):
    """Return the Draft of Cython, with C types for numbers and for arrays that are accessed element by element.

    Raise Refusal if the function has no loop, or no array that it accesses only element by element.
    """
    module = rewriting.tree(observation)
    main = rewriting.functions(module)[observation.name]
    views = _views(main, observation)
    if not views or not any(isinstance(node, (ast.For, ast.While)) for node in ast.walk(main)):
        raise source.Refusal(f"{main.name} has no loop over single elements of an array, so typed loops would not help")
    fixed = {parameter.name for parameter in observation.parameters if not parameter.ndim} - {
        *rewriting.names(main.body, ast.Store)
    }
    types = {p.name: CTYPES[p.dtype] for p in observation.parameters if p.name in fixed and p.dtype in CTYPES} | views
    rewriting.rewrite(main, lambda node: _plain(node, views))
    main.args.defaults = []  # default values may not fit the C types
    declared = ", ".join(f"{name}={ctype!r}" for name, ctype in types.items())
    main.decorator_list = [rewriting.expression(f"cython.locals({declared})", main)]
    parts = f"Cython: {main.name} with typed arrays.", module, writing.run(observation)
    return [writing.draft("cython_typed", *parts, head=HEAD, imports="import cython", suffix=".pyx")]


def _views(main, observation):
    """Return {name: type of the memoryview} of the arrays that the function accesses only element by element."""
    nodes = list(ast.walk(main))
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    known = {array.name: (array.dtype, array.ndim) for array in observation.arrays if not stored[array.name]}
    for node in main.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[shape, *given], keywords=named) as call
            ) if stored[name] == 1 and ast.unparse(call.func) in loops.MAKERS:
                dtype = [*given, *(option.value for option in named if option.arg == "dtype"), ast.Name("float64")][0]
                known[name] = ast.unparse(dtype).rpartition(".")[2], len(getattr(shape, "elts", [shape]))
    no_index = {array.name for array in observation.arrays}.union(
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and OTHERS.search(ast.unparse(node.value))
    )
    return {
        name: f"{'' if name in {*stored, *observation.changed} else 'const '}{CTYPES[dtype]}[{':, ' * (ndim - 1)}::1]"
        for name, (dtype, ndim) in known.items()
        if dtype in CTYPES and _is_by_elements(main, name, ndim, no_index=no_index)
    }


def _is_by_elements(main, name, ndim, *, no_index):
    """Return whether a function accesses single elements of an array, and otherwise uses it only as memoryviews allow.

    Memoryviews allow creating the array, reading its shape or size, and returning it.

    no_index  names of variables that can have other values than integers
    """
    kinds, parents = [], {child: node for node in ast.walk(main) for child in ast.iter_child_nodes(node)}
    for node in (node for node in parents if isinstance(node, ast.Name) and node.id == name):
        up, holder = parents[node], parents[parents[node]]
        match up:
            case ast.Attribute(attr="shape"):  # in C, shape[-1] would read memory before the lengths
                kinds.append(isinstance(holder, (ast.Subscript, ast.Assign)) and "-" not in ast.unparse(holder))
            case ast.Subscript(value=value, slice=index) if value is node:
                is_whole = all(isinstance(part, IN_INDEX) for part in ast.walk(index)) and no_index.isdisjoint(
                    rewriting.names([index], ast.Load)
                )
                kinds.append("element" if is_whole and len(getattr(index, "elts", [index])) == ndim else False)
            case _:
                is_returned = ast.Return in (type(up), type(holder))
                kinds.append(is_returned or isinstance(node.ctx, ast.Store) or ast.unparse(up) == f"{name}.size")
    return all(kinds) and "element" in kinds


def _plain(node, views):
    """Replace operations that memoryviews do not support: unpacking the shape, and returning the view as an array."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=parts)], value=ast.Attribute(attr="shape", value=ast.Name(id=name))
        ) if name in views:
            node.value = rewriting.expression(", ".join(f"{name}.shape[{axis}]" for axis in range(len(parts))), node)
        case ast.Return(value=value) if value:
            node.value = rewriting.replaced(value, {name: f"{name}.base" for name in views})
    return node


def pythran(observation):
    """Return the Draft of Pythran: a source for Pythran's compiler, with the types of the arguments."""
    file = f"_pythran_{observation.name}.py"
    module = rewriting.tree(observation)
    rewriting.functions(module)[observation.name].args.defaults = []  # `run` passes every argument
    body, lines = rewriting.written(module)
    module.body = rewriting.parsed(f'SOURCES = ("{file}",)\nFLAGS = ("-DUSE_XSIMD",)', module)
    export = f"# pythran export {observation.name}({', '.join(map(_pythran_type, observation.parameters))})\n"
    run = writing.run(observation, before=f'{observation.name} = case.artifact("{file}").{observation.name}')
    draft = writing.draft("pythran_derived", f"Pythran: {observation.name}, compiled ahead of time.", module, run)
    draft.lines, draft.extra = {number + 1: line for number, line in lines.items()}, {file: f"{export}{body}\n"}
    return [draft]


def _pythran_type(parameter):
    if parameter.texts and parameter.dtype not in PYTHRAN_TYPES:
        raise source.Refusal(f"Pythran has no type for the argument {parameter.name}, a {parameter.dtype}")
    return (
        PYTHRAN_TYPES[parameter.dtype]
        if parameter.texts
        else parameter.dtype + f"[{','.join(':' * parameter.ndim)}]" * bool(parameter.ndim)
    )


def torch(observation):
    """Return the Draft of PyTorch: NumPy's functions called on tensors. torch.compile traces and compiles the calls."""
    dtypes = {f"{array.name}.dtype": f"np.{array.dtype}" for array in observation.arrays}
    module = rewriting.replaced(rewriting.tree(observation), dtypes)  # torch.compile does not trace x.dtype
    compiled = (
        f"_compiled = torch.compile(torch.compiler.wrap_numpy({observation.name}), fullgraph=True, dynamic=False)"
    )
    # PyTorch 2.11 does not trace calls in the context of a device, so only functions that create arrays get a context.
    devices = [
        f"with {array.input_name}.device: " for array in observation.arrays if NEW_ARRAYS.search(observation.text)
    ]
    run = writing.run(observation, function="_compiled", within="".join(devices[:1]))
    parts = f"PyTorch: {observation.name}, compiled.", module, compiled, run
    return [writing.draft("torch_compile", *parts, imports=f"import torch\n{writing.THREADS}")]


def cupy(observation):
    """Return the Draft of CuPy: the normal form, with imports of CuPy under the names of NumPy and SciPy."""
    module = rewriting.tree(observation, numpy="cupy", scipy="cupyx.scipy")
    return [writing.draft("cupy_derived", f"CuPy: {observation.name} on a GPU.", module, writing.run(observation))]
