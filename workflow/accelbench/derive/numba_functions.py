"""numba_njit and numba_parallel: the normal form under a decorator, then with calls rewritten that Numba lacks."""

import ast

from accelbench.derive import rewriting, writing
from accelbench.derive.writing import THREADS, Draft

NJIT = 'numba.njit(error_model="numpy")'
LAST_AXIS = """
@{njit}
def _{name}_last(x):
    rows = np.ascontiguousarray(x).reshape((-1, x.shape[-1]))
    found = np.empty((rows.shape[0], 1), x.dtype)
    for i in range(rows.shape[0]):
        found[i, 0] = np.{name}(rows[i])
    return found.reshape(x.shape[:-1] + (1,))
"""


def drafts(observation):
    """Return {contestant: its Drafts}, the plainest first."""
    return {name: _drafts(observation, name) for name in ("numba_njit", "numba_parallel")}


def _drafts(observation, name):
    parallel = name == "numba_parallel"
    decorator = f"@{NJIT[:-1]}, parallel=True)" if parallel else f"@{NJIT}"
    title = f"Numba: {observation.name}, compiled{' with parallel loops' if parallel else ''}."
    found = []
    for label, rewrite in (("as it is", None), ("with calls rewritten", Rewrite(observation))):
        module, helpers = rewriting.tree(observation), ""
        if rewrite is not None:
            rewriting.rewrite(module, rewrite)
            helpers = "".join(LAST_AXIS.format(njit=NJIT, name=each) for each in sorted(rewrite.helpers))
        if rewrite is None or rewrite.notes:
            text, lines = rewriting.text(
                module, decorate=decorator, imports="import numba", constants=THREADS * parallel
            )
            body = writing.module(text, helpers, writing.run(observation))
            found.append(Draft(name, title, body, lines, label=label))
    return found


class Rewrite:
    """Writes calls that Numba refuses in words that it knows and that mean the same; `notes` says which."""

    def __init__(self, observation):
        self._arrays, self.notes, self.helpers = {each.name for each in observation.arrays}, [], set()

    def __call__(self, node):
        new = self._rewritten(node) if isinstance(node, ast.Call) else None
        if new is None:
            return node
        self.notes.append(f"{ast.unparse(node)} became {new}")
        return rewriting.expression(new, node)

    def _rewritten(self, node):
        """Return the text that replaces a call, or None."""
        named = {each.arg: ast.unparse(each.value) for each in node.keywords}
        first, *others = [*map(ast.unparse, node.args), ""]
        mean = f"(np.sum({first}, axis=0) / {first}.shape[0])"
        match ast.unparse(node.func), named:
            case "np.mean", {"axis": "0"} if first.isidentifier() and len(named) == 1:
                return mean
            case "np.std", {"axis": "0"} if first.isidentifier() and len(named) == 1:
                return f"np.sqrt(np.sum(({first} - {mean}) ** 2, axis=0) / {first}.shape[0])"
            case ("np.max" | "np.min" | "np.sum") as called, {"axis": "-1", "keepdims": "True"}:
                self.helpers.add(called[3:])
                return f"_{called[3:]}_last({first})"
            case "np.linspace", {"dtype": _}:
                return f"np.linspace({', '.join([first, *others[:-1]])})"
            case "np.array" | "np.asarray", {} if first in self._arrays and not named:
                return f"{first}.copy()"
            case "np.sort", {"kind": _}:
                return f"np.sort({first})"
            case "np.argsort", {"kind": "'stable'"}:
                return f"np.argsort({first}, kind='mergesort')"
            case called, {} if called.endswith(".outer") and called.count(".") == 2:
                return f"{called[:-6]}(np.expand_dims({first}, 1), np.expand_dims({others[0]}, 0))"
        return None
