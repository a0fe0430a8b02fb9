"""numba_njit and numba_parallel: the decorated normal form, then a form with equivalents of calls that Numba lacks."""

import ast
import re

from accelbench.derive import rewriting, writing

LAST_AXIS = """
@numba.njit
def _{name}_last(x):
    rows = np.ascontiguousarray(x).reshape((-1, x.shape[-1]))
    found = np.empty((rows.shape[0], 1), x.dtype)
    for i in range(rows.shape[0]):
        found[i, 0] = np.{name}(rows[i])
    return found.reshape(x.shape[:-1] + (1,))
"""
PARALLEL = ("numba_parallel", ", parallel=True", f"\n{writing.THREADS}")
MEAN = "(np.sum({0}, axis=0) / {0}.shape[0])"
CURES = (  # (pattern of a call that Numba refuses, _ for an argument; an equivalent expression)
    (r"np\.mean\(_, axis=0\)", MEAN),
    (r"np\.std\(_, axis=0\)", f"np.sqrt(np.sum(({{0}} - {MEAN}) ** 2, axis=0) / {{0}}.shape[0])"),
    (r"np\.(max|min|sum)\(_, axis=-1, keepdims=True\)", "_{1}_last({0})"),
    (r"np\.linspace\(_, _, _, dtype=[\w.]+\)", "np.linspace({0}, {1}, {2})"),
    (r"np\.(?:as)?array\(_\)", "{0}.copy()"),
    (r"np\.sort\(_, kind='\w+'\)", "np.sort({0})"),
    (r"np\.argsort\(_, kind='stable'\)", "np.argsort({0}, kind='mergesort')"),
    (r"(np\.\w+)\.outer\(_, _\)", "{2}(np.expand_dims({0}, 1), np.expand_dims({1}, 0))"),
)


def drafts(observation, *, parallel=False):
    """Return the Drafts of a contestant, the plainest first."""
    plain, cured = rewriting.tree(observation), rewriting.rewrite(rewriting.tree(observation), _cured)
    name, options, threads = PARALLEL if parallel else ("numba_njit", "", "")
    found = []
    for module in [plain, cured] if ast.unparse(plain) != ast.unparse(cured) else [plain]:
        text = ast.unparse(module)
        helpers = [LAST_AXIS.format(name=each) for each in ("max", "min", "sum") if f"_{each}_last" in text]
        for each in rewriting.functions(module).values():
            each.decorator_list = [rewriting.expression(f'numba.njit(error_model="numpy"{options})', each)]
        title, run = f"Numba: {observation.name}, compiled.", writing.run(observation)
        found.append(writing.draft(name, title, module, *helpers, run, imports=f"import numba{threads}"))
    return found


def _cured(node):
    """Return the equivalent of a call that Numba refuses; any other node as it is."""
    if isinstance(node, ast.Call) and not any(isinstance(each, ast.List) for each in node.args):
        form = ast.unparse(ast.Call(node.func, [ast.Name("_")] * len(node.args), node.keywords))
        for pattern, words in CURES:
            if match := re.fullmatch(pattern, form):
                given = [text if text.isidentifier() else f"({text})" for text in map(ast.unparse, node.args)]
                return rewriting.expression(words.format(*given, *match.groups()), node)
    return node
