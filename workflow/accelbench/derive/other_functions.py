"""torch_compile, pythran and cupy: the normal form as it is, in the words of each library."""

import ast

from accelbench.derive import rewriting, writing
from accelbench.derive.source import Refusal
from accelbench.derive.writing import THREADS, Draft

PYTHRAN_TYPES = {"int": "int", "bool": "bool", "str": "str", "NoneType": "None"}


def pythran(observation):
    """Return {contestant: its Drafts}: a source with the types of the arguments, which Pythran compiles."""
    source = f"_pythran_{observation.name}.py"
    body, found = rewriting.text(rewriting.tree(observation))
    export = f"# pythran export {observation.name}({', '.join(map(_pythran_type, observation.parameters))})\n"
    head = f'SOURCES = ("{source}",)\nFLAGS = ("-DUSE_XSIMD",)'
    before = f'{observation.name} = case.artifact("{source}").{observation.name}'
    text = writing.module(head, writing.run(observation, before=before))
    title, lines = f"Pythran: {observation.name}, compiled ahead of time.", {n + 1: line for n, line in found.items()}
    return {"pythran_derived": [Draft("pythran_derived", title, text, lines, extra={source: f"{export}{body}\n"})]}


def _pythran_type(parameter):
    if parameter.kind != "constant":
        return parameter.dtype + (f"[{','.join([':'] * parameter.ndim)}]" if parameter.ndim else "")
    if parameter.dtype not in PYTHRAN_TYPES:
        raise Refusal(f"Pythran has no type for the argument {parameter.name}, a {parameter.dtype}")
    return PYTHRAN_TYPES[parameter.dtype]


def torch(observation):
    """Return {contestant: its Drafts}: NumPy's calls, which torch.compile traces and compiles."""
    dtypes = {f"{each.name}.dtype": f"np.{each.dtype}" for each in observation.arrays}

    def change(node):  # Dynamo does not trace x.dtype
        known = isinstance(node, ast.Attribute) and dtypes.get(ast.unparse(node))
        return rewriting.expression(known, node) if known else node

    module = rewriting.rewrite(rewriting.tree(observation), change)
    body, lines = rewriting.text(module, imports="import torch", constants=THREADS)
    names = ", ".join(writing.input_name(each.name) for each in observation.inputs)
    convert = f"def convert({names}):\n    return ({names},)"
    compiled = f"_compiled = torch.compile({observation.name}, fullgraph=True, dynamic=False)"
    run = writing.run(observation, called="_compiled", copies="{after} = {name}.copy()")
    text = writing.module(body, compiled, convert, run)
    return {"torch_compile": [Draft("torch_compile", f"PyTorch: {observation.name}, compiled.", text, lines)]}


def cupy(observation):
    """Return {contestant: its Drafts}: the names of NumPy and SciPy bound to CuPy's modules."""

    def change(node):
        match node:
            case ast.Import(names=[name]) if writing.library(name.name):
                name.asname, name.name = name.asname or name.name, _on_gpu(name.name)
            case ast.ImportFrom(module=module) if writing.library(module):
                node.module = _on_gpu(module)
        return node

    body, lines = rewriting.text(rewriting.rewrite(rewriting.tree(observation), change))
    text = writing.module(body, writing.run(observation))
    return {"cupy_derived": [Draft("cupy_derived", f"CuPy: {observation.name} on a GPU.", text, lines)]}


def _on_gpu(module):
    return module.replace("numpy", "cupy", 1).replace("scipy", "cupyx.scipy", 1)
