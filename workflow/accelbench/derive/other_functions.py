"""torch_compile, pythran and cupy: the unchanged normal form under each library."""

import ast

from accelbench.derive import rewriting, source, writing

PYTHRAN_TYPES = {"int": "int", "bool": "bool", "str": "str", "NoneType": "None"}


def pythran(observation):
    """Return the Draft of Pythran: a source with the types of the arguments, which it compiles."""
    file = f"_pythran_{observation.name}.py"
    module = rewriting.tree(observation)
    body, lines = rewriting.written(module)
    module.body = rewriting.parsed(f'SOURCES = ("{file}",)\nFLAGS = ("-DUSE_XSIMD",)', module)
    export = f"# pythran export {observation.name}({', '.join(map(_pythran_type, observation.parameters))})\n"
    before = f'{observation.name} = case.artifact("{file}").{observation.name}'
    run = writing.run(observation, before=before)
    draft = writing.draft("pythran_derived", f"Pythran: {observation.name}, compiled ahead of time.", module, run)
    draft.lines, draft.extra = {number + 1: line for number, line in lines.items()}, {file: f"{export}{body}\n"}
    return [draft]


def _pythran_type(parameter):
    if parameter.texts and parameter.dtype not in PYTHRAN_TYPES:
        raise source.Refusal(f"Pythran has no type for the argument {parameter.name}, a {parameter.dtype}")
    dimensions = f"[{','.join([':'] * parameter.ndim)}]" if parameter.ndim else ""
    return PYTHRAN_TYPES[parameter.dtype] if parameter.texts else f"{parameter.dtype}{dimensions}"


def torch(observation):
    """Return the Draft of PyTorch: NumPy's calls on tensors, which torch.compile traces and compiles."""
    dtypes = {f"{each.name}.dtype": f"np.{each.dtype}" for each in observation.arrays}

    def change(node):  # Dynamo does not trace x.dtype
        known = isinstance(node, ast.Attribute) and dtypes.get(ast.unparse(node))
        return rewriting.expression(known, node) if known else node

    module = rewriting.rewrite(rewriting.tree(observation), change)
    wrapped = f"torch.compiler.wrap_numpy({observation.name})"
    compiled = f"_compiled = torch.compile({wrapped}, fullgraph=True, dynamic=False)"
    devices = [f"with {each.input_name}.device: " for each in observation.arrays]  # where new arrays are made
    run = writing.run(observation, function="_compiled", within="".join(devices[:1]))
    title, imports = f"PyTorch: {observation.name}, compiled.", f"import torch\n{writing.THREADS}"
    return [writing.draft("torch_compile", title, module, compiled, run, imports=imports)]


def cupy(observation):
    """Return the Draft of CuPy: the names of NumPy and SciPy bound to CuPy's modules."""
    module = rewriting.tree(observation, numpy="cupy", scipy="cupyx.scipy")
    return [writing.draft("cupy_derived", f"CuPy: {observation.name} on a GPU.", module, writing.run(observation))]
